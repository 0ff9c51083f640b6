// Positions with a question: puzzles, mistakes of one's own, and the introduction.

import { useState } from "preact/hooks";
import { Lines } from "./analysis";
import * as api from "./api";
import { Board, type BoardProps, Lit } from "./board";
import { Select } from "./controls";
import { Dice } from "./pieces";
import { after, branch, colour, type Counts, countsOf, finkel, points, rulesOf, type Span } from "./game";
import { usePhone } from "./layout";
import { keep, readJSON } from "./settings";
import { useAnswer } from "./table";
import type { Analysis, Hint, Puzzle, View } from "./types";

interface Props extends Pick<BoardProps, "rules" | "counts" | "paths">, Pick<Puzzle, "side" | "roll" | "moves"> {
  by: string; // the judge of the moves; "" lists no moves
  question: string;
  right(m: Hint): boolean;
  reply?(m: Hint): string; // to a choice; otherwise its loss
  solved?(right: boolean): void; // is called once, with the first answer
  next?(): void;
  nextText?: string;
  close?(): void;
  closeText?: string;
}

function Quiz(p: Props) {
  const { side, roll, moves, rules = finkel, right, solved = () => {} } = p;
  const [chosen, setChosen] = useState<number | null>(null);
  const [done, setDone] = useState(false);
  const [lit, setLit] = useState<Span | null>(null);
  const upright = usePhone();
  const best = moves.reduce((x, y) => (y.win > x.win ? y : x));
  const move = moves.find((m) => m.from === chosen);
  const choose = (from: number) => {
    const found = right(moves.find((x) => x.from === from)!);
    if (chosen === null && !done) solved(found);
    setChosen(from);
    if (found) setDone(true);
  };
  const give = () => {
    if (chosen === null) solved(false);
    setDone(true);
  };
  const reply = p.reply ?? ((m: Hint) => (right(m) ? `${m.text} is right.` : `${m.text} loses ${points(m.regret)} points. ${done ? "" : "Try another move."}`));
  const listed = done && p.by !== "";
  return (
    <Lit.Provider value={setLit}>
      <div class={"play quiz" + (done ? " done" : "")} data-panel={listed ? "moves" : ""}>
        <section class="table" aria-label="The position">
          <Board rules={rules} counts={p.counts} bottom={side} upright={upright && !listed} side={side} moves={moves} lit={lit} paths={p.paths}
            choose={done ? undefined : choose} arrows={done ? [{ side, from: best.from, to: best.to, kind: "best" }] : []} />
          <div class="tray">
            <Dice roll={roll} tumbling={false} weights={rules.set.dice} />
            <p class="status">{colour(side)} rolled <strong>{roll}</strong>. {p.question}</p>
          </div>
          <p class="said answer" role="status">{move && reply(move)}{done && !(move && right(move)) && ` The best move is ${best.text}.`}</p>
          <div class="actions" role="toolbar" aria-label="Puzzle">
            {!done && p.by !== "" && <button type="button" onClick={give}>Show the solution</button>}
            {done && p.next && <button type="button" class="primary" onClick={p.next}>{p.nextText ?? "Next"}</button>}
            {p.close && <button type="button" onClick={p.close}>{p.closeText ?? "Back to the game"}</button>}
          </div>
        </section>
        {listed && (
          <aside class="side" aria-label="The moves">
            <Lines hints={{ by: p.by, before: 0, moves }} likely={rules.likely} side={side} />
          </aside>
        )}
      </div>
    </Lit.Provider>
  );
}

/** Lesson asks for a better move than each mistake. */
export function Lesson({ view, analysis, turns, close }: { view: View; analysis: Analysis; turns: number[]; close(): void }) {
  const [number, setNumber] = useState(0);
  const at = turns[number];
  const { answer: hints } = useAnswer(branch(view.game, at), true, api.hints);
  if (!hints) return <p class="note" role="status">Judging the moves…</p>;
  const m = analysis.moves[at];
  const last = number === turns.length - 1;
  return (
    <Quiz key={at} rules={rulesOf(view.rules)} counts={after(view, at)} side={m.side} roll={m.roll} moves={hints.moves} by={hints.by}
      question={`Turn ${m.turn}: ${m.move} lost ${points(m.regret)} points. Find a better move.`} right={(x) => x.regret < 0.01}
      next={last ? undefined : () => setNumber(number + 1)} nextText={`Next mistake (${number + 2} of ${turns.length})`} close={close} />
  );
}

/** Step is a position of the introduction in which one move shows a rule. */
interface Step {
  title: string;
  text: string;
  light: Record<number, number>; // squares with counts
  dark: Record<number, number>;
  from: number; // of the move that shows the rule; every roll is 2
  done: string;
}

const steps: Step[] = [
  {
    title: "The path", light: { 0: 6, 3: 1 }, dark: { 0: 7 }, from: 3,
    text: "You are Light. Your pieces enter on A4, go along row A to A1, then through the shared row B from B1 to B8, and home by A8 and A7. Move the piece on A2 into row B.",
    done: "A piece moves as many squares as the roll. All seven pieces have to come home, before those of your opponent.",
  },
  {
    title: "The rosette", light: { 0: 6, 2: 1 }, dark: { 0: 7 }, from: 2,
    text: "Squares with a rosette grant another turn. Move on to the rosette A1.",
    done: "You would roll again. On the rosette in the middle, B4, a piece is also safe.",
  },
  {
    title: "The capture", light: { 0: 5, 5: 1, 9: 1 }, dark: { 0: 5, 7: 1, 12: 1 }, from: 5,
    text: "In the middle row pieces can be captured. Dark stands on B3, two squares before you: capture it.",
    done: "The captured piece goes back to the hand and starts again. Now you know enough for a first game.",
  },
];

/** Intro is the introduction of a first visit: three short lessons on the board. */
export function Intro({ close }: { close(): void }) {
  const [number, setNumber] = useState(0);
  const step = steps[number];
  const row = (pieces: Record<number, number>) => Array.from({ length: 16 }, (_, square) => pieces[square] ?? 0);
  const counts: Counts = { light: row(step.light), dark: row(step.dark) };
  const moves = finkel.legal(counts, "light", 2).map((m) => ({ ...m, win: m.from === step.from ? 1 : 0, regret: 0, mark: "" }));
  const last = number === steps.length - 1;
  const end = () => {
    keep("intro", "done");
    close();
  };
  return (
    <section class="intro" aria-label="Introduction">
      <h2>{number + 1} of {steps.length}: {step.title}</h2>
      <Quiz key={number} counts={counts} side="light" roll={2} moves={moves} by="" paths={number === 0}
        question={step.text} right={(m) => m.from === step.from} reply={(m) => (m.from === step.from ? step.done : "That is a legal move, too, but not the one of this step.")}
        next={last ? end : () => setNumber(number + 1)} nextText={last ? "Play" : "Next"} close={end} closeText="Skip" />
    </section>
  );
}

/** noStreak is the run of days on which the puzzle of the day was solved at the first attempt, before the first day. */
const noStreak = {
  day: -1, // the last solved, in days since 1970 by the local calendar
  failed: -1, // the last failed
  length: 0,
  best: 0,
  solved: [] as number[], // numbers of puzzles
};

/** today is the day by the local calendar. */
function today(): number {
  const now = new Date();
  return Math.round(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000);
}

/** Puzzles shows the puzzle of the day, and all others. */
export function Puzzles() {
  const { answer, why } = useAnswer("puzzles", true, api.puzzles);
  const [index, setIndex] = useState<number | null>(null); // null for the puzzle of the day
  const [streak, setStreak] = useState(() => ({ ...noStreak, ...readJSON<Partial<typeof noStreak>>("streak", {}) }));
  if (why) return <p class="refused" role="alert">{why}</p>;
  if (!answer) return <p class="note" role="status">Loading the puzzles…</p>;
  const { puzzles } = answer;
  const day = today();
  const daily = (day * 11) % puzzles.length; // all in turn, in an order that looks random
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
      <Quiz key={at} {...puzzle} counts={countsOf(puzzle.board)} by="table" question="Find the best move." right={(m) => m.regret < 0.001} solved={solved} next={() => setIndex((at + 1) % puzzles.length)} nextText="Next puzzle" />
      <section class="card">
        <h2>{at === daily ? "Puzzle of the day" : `Puzzle ${puzzle.number}`}</h2>
        <p class="streak">
          Puzzles are under the rules of Finkel. Streak: <strong>{current}</strong> {current === 1 ? "day" : "days"}, best {streak.best}. Solved: {streak.solved.length} of {puzzles.length}.
        </p>
        <div class="pick">
          <Select label="Puzzle" value={at} choose={(i: number) => setIndex(i)}
            options={puzzles.map((p, i) => [i, [p.number, i === daily && ", of the day", streak.solved.includes(p.number) && " ✓"]])} />
        </div>
      </section>
    </div>
  );
}
