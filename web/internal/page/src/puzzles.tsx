// Puzzles: one of the day, and all others.

import { h } from "preact";
import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import { Quiz } from "./quiz";
import { keep, readJSON } from "./settings";
import type { Puzzle } from "./types";

/** Streak is the run of days on which the puzzle of the day was solved at the first attempt. */
interface Streak {
  day: number; // the last solved, in days since 1970 by the local calendar
  failed: number; // the last failed
  length: number;
  best: number;
  solved: number[]; // numbers of puzzles
}

const none: Streak = { day: -1, failed: -1, length: 0, best: 0, solved: [] };

/** today is the day by the local calendar. */
function today(): number {
  const now = new Date();
  return Math.round(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000);
}

/** puzzleOf is the index of the puzzle of a day: all in turn, in an order that looks random. */
export const puzzleOf = (day: number, count: number) => (day * 11) % count;

export function Puzzles() {
  const [puzzles, setPuzzles] = useState<Puzzle[]>([]);
  const [index, setIndex] = useState<number | null>(null); // null for the puzzle of the day
  const [streak, setStreak] = useState(() => ({ ...none, ...readJSON<Partial<Streak>>("streak", {}) }));
  const [failed, setFailed] = useState("");
  useEffect(() => void api.puzzles().then((list) => setPuzzles(list.puzzles), (error) => setFailed(error.message)), []);
  if (failed) return <p class="refused" role="alert">{failed}</p>;
  if (puzzles.length === 0) return <p class="note" role="status">Loading the puzzles…</p>;
  const day = today();
  const daily = puzzleOf(day, puzzles.length);
  const at = index ?? daily;
  const puzzle = puzzles[at];
  const current = streak.day >= day - 1 && streak.failed < streak.day ? streak.length : 0;
  const solved = (right: boolean) => {
    const next = { ...streak };
    if (right && !next.solved.includes(puzzle.number)) next.solved = [...next.solved, puzzle.number];
    if (at === daily && next.day !== day && next.failed !== day) {
      if (right) {
        next.length = current + 1;
        next.best = Math.max(next.best, next.length);
        next.day = day;
      } else next.failed = day;
    }
    setStreak(next);
    keep("streak", JSON.stringify(next));
  };
  return (
    <div class="puzzles">
      <Quiz key={at} puzzle={puzzle} by="table" best question="Find the best move." solved={solved} next={() => setIndex((at + 1) % puzzles.length)} nextText="Next puzzle" />
      <section class="card">
        <h2>{at === daily ? "Puzzle of the day" : `Puzzle ${puzzle.number}`}</h2>
        <p class="streak">
          Puzzles are under the rules of Finkel. Streak: <strong>{current}</strong> {current === 1 ? "day" : "days"}, best {streak.best}. Solved: {streak.solved.length} of {puzzles.length}.
        </p>
        <label class="pick">
          Puzzle
          <select value={at} onChange={(e) => setIndex(Number(e.currentTarget.value))}>
            {puzzles.map((p, i) => <option value={i}>{p.number}{i === daily && ", of the day"}{streak.solved.includes(p.number) && " ✓"}</option>)}
          </select>
        </label>
      </section>
    </div>
  );
}
