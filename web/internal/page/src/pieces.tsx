// Pieces, rosettes and the other signs on the board. Everything is drawn in a cell of 100
// units, around its middle.

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
      {[-18, 18].map((x) =>
        [-18, 18].map((y) => (
          <g transform={`translate(${x} ${y})`}>
            <path d="M-14 0Q0 -12 14 0Q0 12 -14 0z" />
            <circle r="3.5" />
          </g>
        )),
      )}
    </g>
  );
}

function Dots() {
  return (
    <g class="dots">
      {five.map(([x, y]) => <circle cx={20 * x} cy={20 * y} r="7" />)}
    </g>
  );
}

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

/** Piece is a piece of a side, with its five marks unless something else is drawn on it. */
export function Piece({ side, scale = 1, plain = false }: { side: Side; scale?: number; plain?: boolean }) {
  return (
    <g class={"piece " + side} transform={scale === 1 ? undefined : `scale(${scale})`}>
      <circle r="33" cy="3" class="shadow" />
      <circle r="32" class="body" />
      <circle r="26" class="ring" />
      {!plain && five.map(([x, y]) => <circle cx={11 * x} cy={11 * y} r="4" class="mark" />)}
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
        <g transform={`translate(0 ${foot - i * step})`}>
          <Piece side={side} scale={0.78} plain />
        </g>
      ))}
      <text class={"count " + side} y={foot - (count - 1) * step} dy="0.35em">{count}</text>
    </g>
  );
}
