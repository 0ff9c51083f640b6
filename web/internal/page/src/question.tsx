// Questions before an action that cannot be meant.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { points } from "./game";
import type { Table } from "./table";
import type { Hints } from "./types";

/** Question is what the page asks before an action. */
interface Question {
  text: string;
  yes: string;
  no: string;
  act(): void;
}

/** useQuestions returns the open question, and the actions that raise one: a move that loses more
 * points than the tutor allows (0 allows all), and the resignation. */
export function useQuestions(table: Table, tutor: number, hints: Hints | null) {
  const { view } = table;
  const [question, setQuestion] = useState<Question | null>(null);
  const drawn = useRef(view);
  drawn.current = view;
  useLayoutEffect(() => setQuestion(null), [view?.game]);
  const move = async (from: number) => {
    const { game } = view!;
    const judged = tutor > 0 ? (hints ?? (await api.hints(game).catch(() => null))) : null;
    if (drawn.current?.game !== game) return;
    const m = judged?.moves.find((x) => x.from === from);
    const act = () => table.ask("move", { from });
    if (m && 100 * m.regret > tutor) setQuestion({ text: `${m.text} loses ${points(m.regret)} points of your chances.`, yes: "Play it", no: "Choose another move", act });
    else act();
  };
  const resign = () => setQuestion({ text: "Resign this game?", yes: "Resign", no: "Play on", act: () => table.ask("resign") });
  return { asked: question && <Ask question={question} close={() => setQuestion(null)} />, move, resign };
}

function Ask({ question: q, close }: { question: Question; close(): void }) {
  const no = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => no.current?.focus({ preventScroll: true }), [q]);
  return (
    <div class="ask" role="alertdialog" aria-label={q.text}>
      <p>{q.text}</p>
      <button type="button" onClick={() => { close(); q.act(); }}>{q.yes}</button>
      <button type="button" ref={no} onClick={close}>{q.no}</button>
    </div>
  );
}
