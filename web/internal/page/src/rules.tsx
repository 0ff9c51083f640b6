// The rules in short, and the keys.

import { h } from "preact";

export function Rules() {
  return (
    <div class="rules">
      <section class="card">
        <h2>The rules</h2>
        <p>
          The Royal Game of Ur was played in Mesopotamia more than 4,600 years ago. Irving Finkel of the British Museum read its rules
          from a clay tablet; these are they, in the form that most people play.
        </p>
        <ul>
          <li>Each player brings seven pieces from the hand over fourteen squares home. Whoever has all of them home first wins. Light begins.</li>
          <li>Four pyramids are thrown, each of which counts one or nothing: a roll is 0 to 4, and 2 is the most frequent. One piece moves on by exactly as many squares, or enters.</li>
          <li>The first four squares and the last two are the player's own. The eight in the middle are shared: there a piece that is landed on goes back to its owner's hand.</li>
          <li>A rosette gives another turn, and on the one in the middle a piece is safe.</li>
          <li>A square holds one piece. A piece comes home by an exact roll. Who can move must; a roll of 0, or one that moves nothing, passes the turn.</li>
        </ul>
      </section>
      <section class="card">
        <h2>Keys</h2>
        <dl class="keys">
          <dt><kbd>1</kbd> to <kbd>7</kbd></dt><dd>make the move with this number</dd>
          <dt><kbd>←</kbd> <kbd>→</kbd></dt><dd>go from piece to piece, <kbd>Enter</kbd> moves it</dd>
          <dt><kbd>u</kbd></dt><dd>take back your last move, and what came of it; the dice stay as they fell</dd>
          <dt><kbd>r</kbd></dt><dd>make it again</dd>
          <dt><kbd>h</kbd></dt><dd>hints: how likely you win after each move</dd>
          <dt><kbd>p</kbd></dt><dd>the paths of both players</dd>
          <dt><kbd>n</kbd></dt><dd>a new game</dd>
        </dl>
      </section>
      <section class="card">
        <h2>What the figures mean</h2>
        <p>
          The game is solved: for every position the probability is known that the side to move wins when both play perfectly. Where the table
          of these is at hand, hints and analysis are exact; elsewhere a network that was taught by it looks two moves ahead. A point is one
          per cent of the probability to win. A move that gives away 1 point is an inaccuracy, 3 a mistake, 6 a blunder. The luck of a roll is by how
          much it raised the chances; without luck is what the result would have been, on average, had nobody had any.
        </p>
      </section>
    </div>
  );
}
