// The rules in short, and the keys.

import type { About } from "./types";

export function Rules({ about, introduce }: { about: About | null; introduce(): void }) {
  return (
    <div class="rules">
      <section class="card">
        <h2>The rules</h2>
        <p>
          These are the rules of Finkel; others follow below. The Royal Game of Ur was played in Mesopotamia more than 4,600 years ago. Irving Finkel of the British Museum read its rules
          from a clay tablet; these are they, in the form that most people play.
        </p>
        <ul>
          <li>Each player brings seven pieces from the hand over fourteen squares home. The first player with all pieces home wins. Light begins.</li>
          <li>Four pyramids are thrown, each counting one or nothing: a roll is 0 to 4, and 2 is the most frequent. One piece moves on by exactly as many squares, or enters.</li>
          <li>The first four squares and the last two are the player's own. The eight in the middle row B are shared: there a piece that is landed on goes back to its owner's hand.</li>
          <li>A rosette gives another turn, and on the one in the middle, B4, a piece is safe.</li>
          <li>A square holds one piece. A piece comes home by an exact roll. A player who can move must; a roll of 0, or one without a legal move, passes the turn.</li>
          <li>Squares have the names of the board's edge: Light's path is A4 to A1, B1 to B8, A8 and A7; Dark's has C instead of A.</li>
        </ul>
        <button type="button" onClick={introduce}>Show the introduction</button>
      </section>
      {about && (
        <section class="card">
          <h2>Other rule sets</h2>
          <p>A new game and the editor offer them; <kbd>p</kbd> shows the paths on the board. The puzzles are under the rules of Finkel.</p>
          <dl class="rulesets">
            {about.rules.filter((r) => r.name !== "finkel").map((r) => [<dt>{r.title}</dt>, <dd>{r.about}</dd>])}
          </dl>
        </section>
      )}
      <section class="card">
        <h2>Keys</h2>
        <dl class="keys">
          <dt><kbd>1</kbd> to <kbd>7</kbd></dt><dd>make the move with this number</dd>
          <dt><kbd>←</kbd> <kbd>→</kbd></dt><dd>go from piece to piece, <kbd>Enter</kbd> moves it; in the analysis, step through the turns</dd>
          <dt><kbd>u</kbd></dt><dd>undo your last move and the reply; the dice do not change</dd>
          <dt><kbd>r</kbd></dt><dd>redo</dd>
          <dt><kbd>h</kbd></dt><dd>hints: your probability to win after each move</dd>
          <dt><kbd>p</kbd></dt><dd>the paths of both players</dd>
          <dt><kbd>f</kbd></dt><dd>flip the board</dd>
          <dt><kbd>n</kbd></dt><dd>a new game</dd>
        </dl>
      </section>
      <section class="card">
        <h2>What the figures mean</h2>
        <p>
          The game is solved: the probability that the side to move wins is known for every position. With the table of the solution, hints and
          analysis are exact; without it, a network trained on it searches two plies. A point is one per cent of the probability to win. A move
          that loses 1 point is an inaccuracy, 3 a mistake, 6 a blunder. The luck of a roll is the change it makes to the probability; the
          result without luck is corrected for that of both players.
        </p>
      </section>
    </div>
  );
}
