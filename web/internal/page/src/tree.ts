// The variations of a game: all lines that were played from one beginning with one set of dice.

import { lettersOf, rootOf } from "./game";
import { keep, readJSON } from "./settings";

/** Tree holds the links of all lines. Lines that begin alike share these turns. */
interface Tree {
  root: string;
  lines: string[];
}

const most = 40; // lines

/** Sideline is a line that leaves the shown one. */
export interface Sideline {
  at: number; // the first turn that differs, from 0
  game: string;
  from: number; // square that the piece leaves there, -1 for a pass
  turns: number; // after it
}

const begins = (line: string[], with_: string[]) => with_.every((t, i) => line[i] === t);

/** remember adds a game to the tree of its variations, or begins a new tree. */
export function remember(game: string): void {
  const tree = readJSON<Tree>("tree", { root: "", lines: [] });
  const root = rootOf(game);
  const turns = lettersOf(game);
  const old = tree.root === root ? tree.lines.filter((line) => !begins(turns, lettersOf(line))) : [];
  if (!old.some((line) => begins(lettersOf(line), turns))) old.push(game);
  keep("tree", JSON.stringify({ root, lines: old.slice(-most) }));
}

/** sidelines returns the other variations, by the turn at which they leave the game. */
export function sidelines(game: string): Sideline[] {
  const tree = readJSON<Tree>("tree", { root: "", lines: [] });
  if (tree.root !== rootOf(game)) return [];
  const turns = lettersOf(game);
  const found: Sideline[] = [];
  for (const line of tree.lines) {
    const letters = lettersOf(line);
    let at = 0;
    while (at < letters.length && letters[at] === turns[at]) at++;
    if (at === letters.length) continue;
    const letter = letters[at].slice(-1);
    found.push({ at, game: line, from: letter === "-" ? -1 : parseInt(letter, 36), turns: letters.length - at });
  }
  return found.sort((a, b) => a.at - b.at);
}
