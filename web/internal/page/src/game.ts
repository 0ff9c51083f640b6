// The board as the page draws it: which square is where, and what a turn does.

import type { Side, Turn } from "./types";

export const HAND = 0;
export const HOME = 15;
export const sides: Side[] = ["light", "dark"];
export const other = (side: Side): Side => (side === "light" ? "dark" : "light");

/** A cell of the 3 x 8 board: column 1 to 8, row 0 (Light's), 1 (shared) or 2 (Dark's). */
export interface Cell {
  column: number;
  row: number;
}

/** cell returns where a square of a side's path is. The two gaps of a side's row, which the
 * board leaves out, hold the pieces in hand, beside the first square, and those at home,
 * behind the last. */
export function cell(side: Side, square: number): Cell {
  const own = side === "light" ? 0 : 2;
  if (square <= 4) return { column: 5 - square, row: own };
  if (square <= 12) return { column: square - 4, row: 1 };
  return { column: 21 - square, row: own };
}

export const isRosette = (square: number) => square === 4 || square === 8 || square === 14;

/** tile names a cell as the notation of moves does. */
export const tile = (c: Cell) => "ABC"[c.row] + c.column;

/** place says in words where a square is. */
export function place(side: Side, square: number): string {
  if (square === HAND) return "hand";
  if (square === HOME) return "home";
  return tile(cell(side, square));
}

/** Counts are the pieces of each side on squares 0 to 15. */
export type Counts = Record<Side, number[]>;

export function countsOf(board: number[]): Counts {
  return { light: board.slice(0, 16), dark: board.slice(16, 32) };
}

/** after returns the counts after a number of turns. */
export function after(pieces: number, turns: Turn[], n: number): Counts {
  const start = () => [pieces, ...new Array(15).fill(0)];
  const counts: Counts = { light: start(), dark: start() };
  for (const turn of turns.slice(0, n)) apply(counts, turn);
  return counts;
}

function apply(counts: Counts, turn: Turn): void {
  if (turn.from < 0) return;
  counts[turn.side][turn.from]--;
  counts[turn.side][turn.to]++;
  if (turn.capture) {
    counts[other(turn.side)][turn.to]--;
    counts[other(turn.side)][HAND]++;
  }
}

/** inWords tells of a turn as somebody would who reads it out. */
export function inWords(turn: Turn, name: string): string {
  if (turn.from < 0) return `${name} rolled ${turn.roll} and cannot move`;
  let what = `${name} rolled ${turn.roll}: `;
  if (turn.from === HAND) what += `a piece enters on ${place(turn.side, turn.to)}`;
  else if (turn.to === HOME) what += `a piece comes home from ${place(turn.side, turn.from)}`;
  else what += `${place(turn.side, turn.from)} to ${place(turn.side, turn.to)}`;
  if (turn.capture) what += ", captures";
  if (turn.rosette) what += ", another turn";
  return what;
}

/** playerName is a name for people. */
export function playerName(spec: string): string {
  if (spec === "human") return "You";
  const level = /^level:(\d+)$/.exec(spec);
  return level ? `Level ${level[1]}` : spec;
}

/** newSeed returns a seed that JSON and people can hold. */
export const newSeed = () => Math.floor(Math.random() * 1e9);
