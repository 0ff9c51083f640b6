// The board as the page draws it: which square is where, and what a turn does.

import type { Move, Player, Side, Turn, View } from "./types";

export const HAND = 0;
export const HOME = 15;
export const sides: Side[] = ["light", "dark"];
export const other = (side: Side): Side => (side === "light" ? "dark" : "light");
export const colour = (side: Side) => (side === "light" ? "Light" : "Dark");

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
export const isShared = (square: number) => square >= 5 && square <= 12;

/** tile names a cell as the notation of moves does. */
export const tile = (c: Cell) => "ABC"[c.row] + c.column;

/** place names a square of a side. */
export function place(side: Side, square: number): string {
  if (square === HAND) return "hand";
  if (square === HOME) return "home";
  return tile(cell(side, square));
}

/** Span is a move between two squares of a side. */
export interface Span {
  side: Side;
  from: number;
  to: number;
}

/** spanOf parses the notation of a move, as in "in-A4", "A3-B1x" or "A8-home"; null for a pass. */
export function spanOf(side: Side, text: string): Span | null {
  const [from, to] = text.replace(/[*x]/g, "").split("-");
  const square = (name: string) => {
    if (name === "in") return HAND;
    if (name === "home") return HOME;
    for (let s = 1; s < HOME; s++) if (place(side, s) === name) return s;
    return -1;
  };
  return to === undefined || square(from) < 0 || square(to) < 0 ? null : { side, from: square(from), to: square(to) };
}

/** moveText is the notation of a move without its marks. */
export const moveText = ({ side, from, to }: Span) =>
  `${from === HAND ? "in" : place(side, from)}-${place(side, to)}`;

/** Counts are the pieces of each side on squares 0 to 15. */
export type Counts = Record<Side, number[]>;

export function countsOf(board: number[]): Counts {
  return { light: board.slice(0, 16), dark: board.slice(16, 32) };
}

/** after returns the counts after the first n turns of a game. */
export function after(view: View, n: number): Counts {
  const counts = countsOf(view.board);
  for (let i = view.turns.length - 1; i >= n; i--) undo(counts, view.turns[i]);
  return counts;
}

/** undo takes a turn back. */
function undo(counts: Counts, turn: Turn): void {
  if (turn.from < 0) return;
  counts[turn.side][turn.to]--;
  counts[turn.side][turn.from]++;
  if (turn.capture) {
    counts[other(turn.side)][HAND]--;
    counts[other(turn.side)][turn.to]++;
  }
}

/** inWords describes a turn in a sentence without a full stop. */
export function inWords(turn: Turn, name: string): string {
  if (turn.from < 0) return `${name} rolled ${turn.roll} and cannot move`;
  let text = `${name} rolled ${turn.roll}: `;
  if (turn.from === HAND) text += `a piece enters on ${place(turn.side, turn.to)}`;
  else if (turn.to === HOME) text += `a piece comes home from ${place(turn.side, turn.from)}`;
  else text += `${place(turn.side, turn.from)} to ${place(turn.side, turn.to)}`;
  if (turn.capture) text += ", captures";
  if (turn.rosette) text += ", another turn";
  return text;
}

const titles = new Map<string, string>();

/** setTitles stores the names in words of the players. */
export function setTitles(players: Player[]): void {
  for (const p of players) titles.set(p.name, p.title);
}

/** titleOf is the name of a player in words. */
export const titleOf = (name: string) => (name === "human" ? "You" : (titles.get(name) ?? name));

/** nameOf is the name of a side's player; of two alike, the side. */
export const nameOf = (view: View, side: Side) =>
  view.players[0] === view.players[1] ? colour(side) : titleOf(view.players[side === "light" ? 0 : 1]);

/** winnerOf is the side that has won, if any. */
export function winnerOf(view: View): Side | null {
  const [side, resigned] = view.result.split(" ") as [Side, string?];
  if (side !== "light" && side !== "dark") return null;
  return resigned ? other(side) : side;
}

/** isPerson reports whether a person plays a side. */
export const isPerson = (view: View, side: Side) => view.players[side === "light" ? 0 : 1] === "human";

/** legal returns the moves of a side for a roll, by the rules. */
export function legal(counts: Counts, side: Side, roll: number): Move[] {
  const moves: Move[] = [];
  for (let from = HAND; roll > 0 && from + roll <= HOME; from++) {
    const to = from + roll;
    if (counts[side][from] === 0 || (to !== HOME && counts[side][to] > 0)) continue;
    const capture = isShared(to) && counts[other(side)][to] > 0;
    if (capture && to === 8) continue;
    moves.push({ from, to, text: moveText({ side, from, to }), capture, rosette: isRosette(to) });
  }
  return moves;
}

/** newSeed returns a seed that JSON and people can hold. */
export const newSeed = () => Math.floor(Math.random() * 1e9);

/** The fields of a game's link: see docs/serve.md. */
const diceField = 1;
const lightField = 2;
const turnsField = 4;
const undoneField = 5;
const resultField = 6;
const startField = 7;

const fieldsOf = (game: string) => [...game.split("/"), "", "", "", "", "", "", ""].slice(0, startField + 1);

/** turnLetters splits the turns of a link: a letter each, or a roll and a letter where the dice
 * are not known. */
function turnLetters(fields: string[]): string[] {
  const turns = fields[turnsField] + fields[undoneField];
  return turns.match(fields[diceField] ? /./g : /../g) ?? [];
}

/** branch returns the link of a game at its beginning of n turns, with other players if given. */
export function branch(game: string, n: number, players?: [string, string]): string {
  const fields = fieldsOf(game);
  fields[turnsField] = turnLetters(fields).slice(0, n).join("");
  fields[undoneField] = fields[resultField] = "";
  players?.forEach((name, i) => (fields[lightField + i] = encodeURIComponent(name)));
  return fields.join("/").replace(/\/+$/, "");
}

/** lettersOf returns the turns of a link, including undone ones. */
export const lettersOf = (game: string) => turnLetters(fieldsOf(game));

/** rootOf is the common part of all variations of a game: pieces, dice and start. Where the dice
 * are not known, the first rolls take their place. */
export function rootOf(game: string): string {
  const fields = fieldsOf(game);
  const dice = fields[diceField] || turnLetters(fields).slice(0, 6).map((t) => t[0]).join("");
  return [fields[0], dice, fields[startField]].join("/");
}
