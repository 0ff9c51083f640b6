// Pieces, rosettes and the other signs on the board, drawn in a cell of 100 units around its
// middle, and the dice.

import { useEffect, useState } from "preact/hooks";
import type { Side } from "./types";

const five = [[0, 0], [-1, -1], [1, -1], [-1, 1], [1, 1]]; // as on a die
const petals = [0, 45, 90, 135, 180, 225, 270, 315];

/** Rosette is the sign of another turn. */
export function Rosette() {
  return (
    <g class="rosette">
      <circle r="38" class="rosette-ground" />
      {petals.map((angle) => (
        <path d="M0 -4C-12 -14 -11 -30 0 -35C11 -30 12 -14 0 -4z" transform={`rotate(${angle})`} />
      ))}
      <circle r="7" class="rosette-heart" />
    </g>
  );
}

/** Eyes are the sign of most tiles, as on the board from the Royal Cemetery at Ur. */
function Eyes() {
  return (
    <g class="eyes">
      {five.slice(1).map(([x, y]) => (
        <g transform={`translate(${18 * x} ${18 * y})`}>
          <path d="M-14 0Q0 -12 14 0Q0 12 -14 0z" />
          <circle r="3.5" />
        </g>
      ))}
    </g>
  );
}

const Dots = () => <g class="dots">{five.map(([x, y]) => <circle cx={20 * x} cy={20 * y} r="7" />)}</g>;

/** Squares are one in another. */
function Squares() {
  return (
    <g class="squares">
      <rect x="-30" y="-30" width="60" height="60" />
      <rect x="-18" y="-18" width="36" height="36" />
      <circle r="6" />
    </g>
  );
}

const signs = [Eyes, Dots, Squares];

/** Sign is what is drawn on a tile without a rosette. */
export function Sign({ column, row }: { column: number; row: number }) {
  const Drawn = signs[(column + 2 * row) % signs.length];
  return <Drawn />;
}

/** Piece is a piece of a side with its five marks, or one that is piled: smaller, and without marks. */
export function Piece({ side, piled = false }: { side: Side; piled?: boolean }) {
  return (
    <g class={"piece " + side} transform={piled ? "scale(0.78)" : undefined}>
      <circle r="33" cy="3" class="shadow" />
      <circle r="32" class="body" />
      <circle r="26" class="ring" />
      {!piled && five.map(([x, y]) => <circle cx={11 * x} cy={11 * y} r="4" class="mark" />)}
    </g>
  );
}

/** Pile is what a player has in hand or at home: pieces on top of each other, and how many. It
 * leaves the lower edge of its cell to a word. */
export function Pile({ side, count }: { side: Side; count: number }) {
  const step = Math.min(5, 22 / count);
  const foot = (count - 1) * (step / 2) - 9;
  return (
    <g>
      {Array.from({ length: count }, (_, i) => (
        <g transform={`translate(0 ${foot - i * step})`}><Piece side={side} piled /></g>
      ))}
      <text class={"count " + side} y={foot - (count - 1) * step} dy="0.35em">{count}</text>
    </g>
  );
}

/** The weights of the rolls of four dice, and of three of which none up counts as 4. */
const four = [1, 4, 6, 4, 1];
const three = [0, 3, 3, 1, 1];

/** Dice are pyramids of which two corners are white. They show a roll; while they tumble, any. Other dice than those of the built-in rule sets are
 * not drawn. */
export function Dice({ roll, tumbling, weights = four }: { roll: number | null; tumbling: boolean; weights?: number[] }) {
  const all = weights.join() === three.join();
  const dice = all ? [0, 1, 2] : weights.join() === four.join() ? [0, 1, 2, 3] : [];
  const [shown, setShown] = useState<boolean[]>([]);
  useEffect(() => {
    if (!tumbling) return;
    const timer = setInterval(() => setShown(dice.map(() => Math.random() < 0.5)), 70);
    return () => clearInterval(timer);
  }, [tumbling]);
  const white = (i: number) => (tumbling ? shown[i] : roll !== null && i < (all && roll === 4 ? 0 : roll));
  return (
    <div class={"dice" + (tumbling ? " tumbling" : "")} role="img" aria-label={roll === null || tumbling ? "dice" : `a roll of ${roll}`}>
      {dice.map((i) => (
        <svg viewBox="0 0 44 40" class={white(i) ? "die white" : "die"}>
          <path class="left" d="M22 2L2 37L22 29z" />
          <path class="right" d="M22 2L42 37L22 29z" />
          <path class="foot" d="M2 37L22 29L42 37z" />
          <circle cx="22" cy="8" r="5.5" />
        </svg>
      ))}
      <span class="roll">{roll === null || tumbling ? "" : roll}</span>
    </div>
  );
}
