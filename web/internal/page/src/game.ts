// The board as the page draws it: which square is where, and what a turn does.

import type { Analysis, AnalysisMove, Move, Player, RuleSet, Side, Turn, View } from "./types";

export const HAND = 0;
export const sides: Side[] = ["light", "dark"];
export const other = (side: Side): Side => (side === "light" ? "dark" : "light");
export const colour = (side: Side) => (side === "light" ? "Light" : "Dark");
export const indexOf = (side: Side) => (side === "light" ? 0 : 1);

/** A cell of the board as it lies: column 1 and so on are its rows, and row 0 is its column A. */
export type Cell = { column: number; row: number };

/** tile names a cell as the notation of moves does. */
export const tile = (c: Cell) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[c.row] + c.column;

const cellOf = (tile: string): Cell => ({ column: Number(tile.slice(1)), row: tile.charCodeAt(0) - 65 });

/** Span is a move between two squares of a side. */
export type Span = { side: Side; from: number; to: number };

/** Counts are the pieces of each side on the squares of its path, from the hand to home. */
export type Counts = Record<Side, number[]>;

export class Rules {
  readonly home: number; // the square behind the last one of a path
  readonly squares: number[]; // of a path, from 1
  readonly tiles: { at: Cell; side: Side; square: number }[]; // one for each tile: shared squares are Light's
  readonly rows: number; // of the board as it lies
  readonly columns: number;
  readonly rolls: number[]; // that the dice can show
  readonly likely: number; // the likeliest roll, the longest of several
  private readonly cells: Record<Side, Cell[]>; // of each path, from the hand to home

  constructor(readonly set: RuleSet) {
    this.home = set.paths[0].length + 1;
    this.squares = set.paths[0].map((_, i) => i + 1);
    this.rows = set.columns.length;
    this.rolls = set.dice.flatMap((weight, roll) => (weight > 0 ? [roll] : []));
    this.likely = set.dice.lastIndexOf(Math.max(...set.dice));
    const length = set.columns[0].length;
    const all = set.columns.flatMap((_, row) => Array.from({ length: length + 2 }, (_, i) => ({ column: i + 1, row })));
    const taken = new Set<string>();
    /** free finds a place for pieces beside a tile: a gap of the board in the same row, or the
     * nearest place, if need be behind the board. */
    const free = (at: Cell, home: number): Cell => {
      const far = ({ column, row }: Cell) =>
        Math.abs(column - at.column) + Math.abs(row - at.row) + (row === home ? 0 : 0.5) + (column > length ? 100 : 0);
      const [best] = all.filter((c) => !this.isTile(c) && !taken.has(tile(c))).sort((a, b) => far(a) - far(b));
      taken.add(tile(best));
      return best;
    };
    const path = (side: Side): Cell[] => {
      const tiles = set.paths[indexOf(side)].map(cellOf);
      return [free(tiles[0], tiles[0].row), ...tiles, free(tiles[tiles.length - 1], tiles[0].row)];
    };
    this.cells = { light: path("light"), dark: path("dark") };
    this.columns = Math.max(length, ...sides.flatMap((side) => this.cells[side].map((c) => c.column)));
    this.tiles = sides.flatMap((side) => this.squares.map((square) => ({ at: this.cell(side, square), side, square })))
      .filter(({ side, square }) => side === "light" || this.across(square) === 0);
  }

  /** cell returns where a square of a side's path is. Gaps of the board hold the pieces in hand,
   * beside the first square, and those at home, beside the last. */
  cell = (side: Side, square: number): Cell => this.cells[side][square];

  place(side: Side, square: number): string {
    if (square === HAND) return "hand";
    return square === this.home ? "home" : tile(this.cell(side, square));
  }

  isTile = ({ column, row }: Cell) => this.set.columns[row]?.[column - 1] === "#";

  /** across returns the square of the other path on the same tile, 0 if there is none. */
  across = (square: number) => this.set.paths[1].indexOf(this.set.paths[0][square - 1]) + 1;

  isRosette = (square: number) => this.set.rosettes.includes(this.set.paths[0][square - 1]);

  /** spanOf parses the notation of a move, as in "in-A4", "A3-B1x" or "A8-home"; null for a pass. */
  spanOf(side: Side, text: string): Span | null {
    const [from, to] = text.replace(/[*x]/g, "").split("-");
    const square = (name: string) => {
      if (name === "in") return HAND;
      if (name === "home") return this.home;
      return this.set.paths[indexOf(side)].indexOf(name) + 1 || -1;
    };
    return to === undefined || square(from) < 0 || square(to) < 0 ? null : { side, from: square(from), to: square(to) };
  }

  /** moveText is the notation of a move without its marks. */
  moveText = ({ side, from, to }: Span) => `${from === HAND ? "in" : this.place(side, from)}-${this.place(side, to)}`;

  legal(counts: Counts, side: Side, roll: number): Move[] {
    const moves: Move[] = [];
    for (let from = HAND; roll > 0 && from + roll <= this.home; from++) {
      const to = from + roll;
      if (counts[side][from] === 0 || (to !== this.home && counts[side][to] > 0)) continue;
      const across = to === this.home ? 0 : this.across(to);
      const capture = across > 0 && counts[other(side)][across] > 0;
      if (capture && this.set.safe_rosettes && this.isRosette(to)) continue;
      moves.push({ from, to, text: this.moveText({ side, from, to }), capture, rosette: this.isRosette(to) });
    }
    return moves;
  }

  /** empty returns the counts with all pieces in hand. */
  empty(pieces: number): Counts {
    const row = () => [pieces, ...new Array(this.home).fill(0)];
    return { light: row(), dark: row() };
  }
}

/** finkel is the rule set of games without a name of one. */
export const finkel = new Rules({
  name: "finkel", title: "Finkel", about: "", pieces: 7,
  columns: ["####..##", "########", "####..##"],
  paths: ["A", "C"].map((own) => [4, 3, 2, 1].map((n) => own + n).concat([1, 2, 3, 4, 5, 6, 7, 8].map((n) => "B" + n), own + 8, own + 7)) as [string[], string[]],
  rosettes: ["A1", "C1", "B4", "A7", "C7"], dice: [1, 4, 6, 4, 1], safe_rosettes: true,
});

const known = new Map<string, Rules>();

export function rulesOf(set: RuleSet | undefined): Rules {
  if (!set || set.name === "finkel") return finkel;
  const key = [set.name, set.pieces, ...set.columns, ...set.paths, ...set.rosettes, set.dice].join();
  if (!known.has(key)) known.set(key, new Rules(set));
  return known.get(key)!;
}

export function countsOf(board: number[]): Counts {
  const n = board.length >> 1; // behind both halves stands the side to move
  return { light: board.slice(0, n), dark: board.slice(n, 2 * n) };
}

/** after returns the counts after the first n turns of a game. */
export function after(view: View, n: number): Counts {
  const counts = countsOf(view.board);
  for (const { side, from, to, capture } of view.turns.slice(n).reverse()) {
    if (from < 0) continue;
    counts[side][to]--;
    counts[side][from]++;
    if (!capture) continue;
    counts[other(side)][HAND]--;
    counts[other(side)][rulesOf(view.rules).across(to)]++;
  }
  return counts;
}

/** inWords describes a turn of a game in a sentence without a full stop. */
export function inWords(view: View, turn: Turn): string {
  const name = nameOf(view, turn.side);
  const rules = rulesOf(view.rules);
  if (turn.from < 0) return `${name} rolled ${turn.roll} and cannot move`;
  const [from, to] = [turn.from, turn.to].map((square) => rules.place(turn.side, square));
  const way = turn.from === HAND ? `a piece enters on ${to}` : turn.to === rules.home ? `a piece comes home from ${from}` : `${from} to ${to}`;
  return `${name} rolled ${turn.roll}: ${way}${gains(turn)}`;
}

/** gains are the consequences of a move in words. */
export const gains = (m: Move) => (m.capture ? ", captures" : "") + (m.rosette ? ", another turn" : "");

const titles = new Map<string, string>();

/** setTitles stores the names in words of the players, without their strength behind a colon. */
export function setTitles(players: Player[]): void {
  for (const p of players) titles.set(p.name, p.title.split(":")[0]);
}

export const titleOf = (name: string) => (name === "human" ? "You" : (titles.get(name) ?? name));

/** nameOf is the name of a side's player; of two alike, the side, and in a game by a link the
 * person at this browser. */
export const nameOf = (view: View, side: Side) =>
  view.you === side ? "You" : view.players[0] === view.players[1] ? colour(side) : titleOf(view.players[indexOf(side)]);

/** winnerOf is the side that has won, if any. */
export function winnerOf(view: View): Side | null {
  const [side, resigned] = view.result.split(" ") as [Side, string?];
  if (side !== "light" && side !== "dark") return null;
  return resigned ? other(side) : side;
}

/** isPerson reports whether a person at this browser plays a side. */
export const isPerson = (view: View, side: Side) => view.players[indexOf(side)] === "human" && (view.you ?? side) === side;

/** mistakes are the turns, from 0, that lost 3 points or more: those of the people who played,
 * or of both sides if no person did. */
export function mistakes(view: View, a: Analysis): number[] {
  const people = sides.filter((side) => isPerson(view, side));
  const of = people.length > 0 ? people : sides;
  return a.moves.filter((m) => m.regret >= 0.03 && of.includes(m.side)).map((m) => m.turn - 1);
}

/** forLight turns the probability that a side wins into Light's. */
export const forLight = (side: Side, win: number) => (side === "light" ? win : 1 - win);

/** lightBefore is the probability that Light wins before the roll of a turn. */
export const lightBefore = (m: AnalysisMove) => forLight(m.side, m.win_before);

/** points is a loss of probability in points, with one decimal. */
export const points = (regret: number) => (100 * regret).toFixed(1);

/** The fields of a game's link: see docs/serve.md. */
const field = { dice: 1, light: 2, turns: 4, undone: 5, result: 6, start: 7, rules: 8 };

const fieldsOf = (game: string) => [...game.split("/"), ...new Array(field.rules).fill("")].slice(0, field.rules + 1);

/** lettersOf returns the turns of a link, including undone ones: a letter each, or a roll and a
 * letter where the dice are not known. */
export function lettersOf(game: string): string[] {
  const fields = fieldsOf(game);
  const turns = fields[field.turns] + fields[field.undone];
  return turns.match(fields[field.dice] ? /./g : /../g) ?? [];
}

/** branch returns the link of a game at its beginning of n turns, with other players if given. */
export function branch(game: string, n: number, players?: [string, string]): string {
  const fields = fieldsOf(game);
  fields[field.turns] = lettersOf(game).slice(0, n).join("");
  fields[field.undone] = fields[field.result] = "";
  players?.forEach((name, i) => (fields[field.light + i] = encodeURIComponent(name)));
  return fields.join("/").replace(/\/+$/, "");
}

/** rootOf is the common part of all variations of a game: pieces, dice, start and rules. Where the dice
 * are not known, the first rolls take their place. */
export function rootOf(game: string): string {
  const fields = fieldsOf(game);
  const dice = fields[field.dice] || lettersOf(game).slice(0, 6).map((t) => t[0]).join("");
  return [fields[0], dice, fields[field.start], fields[field.rules]].join("/").replace(/\/$/, "");
}
