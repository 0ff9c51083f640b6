// The games that were finished in this browser, and the variations of the game on the board.

import { useEffect, useRef } from "preact/hooks";
import { indexOf, isPerson, lettersOf, rootOf, sides, winnerOf } from "./game";
import { keep, read, readJSON } from "./settings";
import type { Analysis, Side, View } from "./types";

/** isNew reports whether nothing was played here, and the introduction was neither finished nor
 * skipped. */
export const isNew = () => read("intro") === "" && lettersOf(read("game")).length === 0;

export interface Finished extends Pick<View, "game" | "players" | "pieces"> {
  date: string; // RFC 3339
  rules?: string; // the title of the rule set, unless it is Finkel's
  turns: number;
  side: Side | null; // of the person; null where two people or two programs played
  winner: Side | null;
  regret?: number; // of the person: points lost a decision
  decisions?: number;
  by?: string; // the judge
}

export const games = (): Finished[] => readJSON<Finished[]>("games", []);

export const store = (list: Finished[]) => keep("games", JSON.stringify(list.slice(-500)));

/** addGame keeps a finished game. Of several ends of one game, as after an undo or of a
 * variation, the first counts. */
export function addGame(view: View): void {
  const people = sides.filter((side) => isPerson(view, side));
  const before = games();
  if (people.length === 0 || before.some((g) => rootOf(g.game) === rootOf(view.game))) return;
  store([...before, {
    game: view.game, date: new Date().toISOString(), players: view.players, pieces: view.pieces, rules: view.rules?.title, turns: view.turns.length,
    side: people.length === 1 ? people[0] : null, winner: winnerOf(view),
  }]);
}

export function addAnalysis(view: View, a: Analysis): void {
  const list = games();
  const found = list.find((g) => g.game === view.game);
  if (!found || found.by === a.by || !found.side) return;
  const player = a.players[indexOf(found.side)];
  Object.assign(found, { regret: player.regret, decisions: player.decisions, by: a.by });
  store(list);
}

/** useHistory remembers the variations of a game, and keeps a game that was finished here. */
export function useHistory(view: View | null, busy: boolean, analysis: Analysis | null, link: boolean): void {
  const before = useRef("");
  useEffect(() => {
    if (!view) return;
    if (!link) remember(view.game);
    const root = link ? "link" : rootOf(view.game);
    if (view.result === "unfinished") before.current = root;
    else if (!busy && before.current === root && (!link || view.you)) addGame(view);
  }, [view?.game, busy]);
  useEffect(() => {
    if (view && analysis && view.result !== "unfinished") addAnalysis(view, analysis);
  }, [view?.game, analysis]);
}

/** regretOf estimates the points lost a decision from games, with bounds of 95 % confidence: the ratio of sums, with the
 * variance of a ratio over games. It needs three games. */
export function regretOf(list: Finished[]): { value: number; lo: number; hi: number } | null {
  const judged = list.filter((g) => g.regret !== undefined && g.decisions);
  const n = judged.length;
  if (n < 3) return null;
  const decisions = judged.reduce((sum, g) => sum + g.decisions!, 0);
  const value = judged.reduce((sum, g) => sum + g.regret! * g.decisions!, 0) / decisions;
  const squares = judged.reduce((sum, g) => sum + ((g.regret! - value) * g.decisions!) ** 2, 0);
  const error = 1.96 * Math.sqrt((squares * n) / (n - 1)) / decisions;
  return { value, lo: Math.max(0, value - error), hi: value + error };
}

/** levelOf returns the level, with a fraction, whose regret is as large. */
export function levelOf(regret: number, levels: { level: number; regret: number }[]): number {
  const sorted = [...levels].sort((a, b) => b.regret - a.regret);
  for (let i = 0; i + 1 < sorted.length; i++) {
    const [a, b] = [sorted[i], sorted[i + 1]];
    if (regret >= a.regret) return a.level;
    if (regret > b.regret) return a.level + ((a.regret - regret) / (a.regret - b.regret)) * (b.level - a.level);
  }
  return sorted[sorted.length - 1].level;
}

/** Tree holds the links of all lines that were played from one beginning with one set of dice. */
type Tree = { root: string; lines: string[] };

/** Sideline is a line that leaves the shown one. */
export interface Sideline {
  at: number; // the first turn that differs, from 0
  game: string;
  from: number; // square that the piece leaves there, -1 for a pass
  turns: number; // after it
}

const begins = (line: string[], with_: string[]) => with_.every((t, i) => line[i] === t);

/** remember adds a game to the tree of its variations, or begins a new tree. */
function remember(game: string): void {
  const tree = readJSON<Tree>("tree", { root: "", lines: [] });
  const root = rootOf(game);
  const turns = lettersOf(game);
  const old = tree.root === root ? tree.lines.filter((line) => !begins(turns, lettersOf(line))) : [];
  if (!old.some((line) => begins(lettersOf(line), turns))) old.push(game);
  keep("tree", JSON.stringify({ root, lines: old.slice(-40) }));
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
