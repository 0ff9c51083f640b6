// The introduction of a first visit: three short lessons on the board.

import { h } from "preact";
import { useState } from "preact/hooks";
import { Board } from "./board";
import { type Counts, finkel, lettersOf } from "./game";
import { usePhone } from "./layout";
import { keep, read } from "./settings";

/** Step is a position in which one move shows a rule. */
interface Step {
  title: string;
  text: string;
  light: [number, number][]; // squares with counts
  dark: [number, number][];
  roll: number;
  from: number; // of the move that shows the rule
  done: string;
}

const steps: Step[] = [
  {
    title: "The path", light: [[0, 6], [3, 1]], dark: [[0, 7]], roll: 2, from: 3,
    text: "Your pieces enter on A4, go along row A to A1, then through the shared row B from B1 to B8, and home by A8 and A7. You rolled 2: move the piece on A2 into row B.",
    done: "A piece moves as many squares as the roll. All seven pieces have to come home, before those of your opponent.",
  },
  {
    title: "The rosette", light: [[0, 6], [2, 1]], dark: [[0, 7]], roll: 2, from: 2,
    text: "Squares with a rosette grant another turn. You rolled 2: move on to the rosette A1.",
    done: "You would roll again. On the rosette in the middle, B4, a piece is also safe.",
  },
  {
    title: "The capture", light: [[0, 5], [5, 1], [9, 1]], dark: [[0, 5], [7, 1], [12, 1]], roll: 2, from: 5,
    text: "In the middle row pieces can be captured. Dark stands on B3, two squares before you: capture it.",
    done: "The captured piece goes back to the hand and starts again. Now you know enough for a first game.",
  },
];

const row = (list: [number, number][]) => {
  const counts = new Array(16).fill(0);
  for (const [square, n] of list) counts[square] = n;
  return counts;
};

const movedCounts = (c: Counts, from: number, roll: number): Counts => {
  const next = { light: [...c.light], dark: [...c.dark] };
  next.light[from]--;
  next.light[from + roll]++;
  if (next.dark[from + roll] > 0 && from + roll > 4 && from + roll < 13) {
    next.dark[from + roll]--;
    next.dark[0]++;
  }
  return next;
};

/** isNew reports whether nothing was played here, and the introduction was neither finished nor
 * skipped. */
export const isNew = () => read("intro") === "" && lettersOf(read("game")).length === 0;

export function Intro({ close }: { close(): void }) {
  const [number, setNumber] = useState(0);
  const [done, setDone] = useState(false);
  const [message, setMessage] = useState("");
  const phone = usePhone();
  const step = steps[number];
  const begin: Counts = { light: row(step.light), dark: row(step.dark) };
  const counts = done ? movedCounts(begin, step.from, step.roll) : begin;
  const choose = (from: number) => {
    setDone(from === step.from);
    setMessage(from === step.from ? step.done : "That is a legal move, too, but not the one of this step.");
  };
  const end = () => {
    keep("intro", "done");
    close();
  };
  const next = () => {
    if (number === steps.length - 1) return end();
    setNumber(number + 1);
    setDone(false);
    setMessage("");
  };
  return (
    <section class="card intro" aria-label="Introduction">
      <h2>{number + 1} of {steps.length}: {step.title}</h2>
      <p>{step.text}</p>
      <Board key={number} counts={counts} bottom="light" upright={false} paths={number === 0} side="light" moves={done ? [] : finkel.legal(begin, "light", step.roll)} choose={done ? undefined : choose} />
      <p class="said" role="status">{message}</p>
      <div class="actions">
        {done && <button type="button" class="primary" onClick={next}>{number === steps.length - 1 ? "Play" : "Next"}</button>}
        <button type="button" onClick={end}>{phone ? "Skip" : "Skip the introduction"}</button>
      </div>
    </section>
  );
}
