// The texts beside the board: the players, the phase of the game, messages, and questions before an
// action that cannot be meant.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { colour, nameOf, other, points, rulesOf, winnerOf } from "./game";
import type { Scene } from "./scene";
import { firstGame, type Table } from "./table";
import type { Hints, Side, View } from "./types";

export function Waiting({ table }: { table: Table }) {
  return (
    <div class="waiting">
      <p role="status">{table.lost ? `The server does not answer (${table.lost}); trying again…` : "Setting up the board…"}</p>
      {table.refused && (
        <>
          <p class="refused" role="alert">{table.refused}</p>
          <button type="button" class="primary" onClick={() => table.begin(firstGame)}>Begin a new game</button>
        </>
      )}
    </div>
  );
}

/** Seat names the player of a side, and the rule set with one of them. */
export function Seat({ view, side, table, note, title }: { view: View; side: Side; table: Table; note?: string; title?: string }) {
  const name = nameOf(view, side);
  const turn = view.result === "unfinished" && (table.moving?.side ?? view.turns[table.shown]?.side ?? view.side) === side;
  return (
    <p class={"seat " + side + (turn ? " turn" : "")}>
      <span class="disc" aria-hidden="true" />
      <strong>{name}</strong> {name !== colour(side) && <span class="colour">{colour(side)}</span>}
      {note && <span class="colour">{note}</span>}
      {turn && <span class="marker">to move</span>}
      {title && <span class="set">Rules: {title}</span>}
    </p>
  );
}

export function Status({ view, table, past, waits }: { view: View; table: Table; past: number | null; waits: string }) {
  if (past !== null) {
    const t = view.turns[past];
    return <p class="status">Turn {past + 1} of {view.turns.length}: {nameOf(view, t.side)} rolled <strong>{t.roll}</strong>, {t.from < 0 ? "no move" : t.text}.</p>;
  }
  const winner = winnerOf(view);
  if (view.result !== "unfinished" && !table.busy) {
    const resigned = winner && view.result.endsWith("resigned") && `${nameOf(view, other(winner))} resigned. `;
    return <p class="status over" role="status">{resigned}{winner ? `${nameOf(view, winner)} won.` : "The game was abandoned."}</p>;
  }
  if (table.busy) return <p class="status">…</p>;
  if (waits) return <p class="status" role="status">{waits}</p>;
  return (
    <p class="status">
      {nameOf(view, view.side)} rolled <strong>{view.roll}</strong>. {view.moves.length === 1 ? "There is one move." : view.moves.length > 1 && "Choose a piece."}
    </p>
  );
}

/** Notes are the messages on the game, with the open question and the hints. */
export function Notes({ scene, asked }: { scene: Scene; asked: ComponentChildren }) {
  const { view, table, link, past, why } = scene;
  return (
    <>
      <p class="said" aria-live="polite" data-busy={table.busy}>{past === null && table.said}</p>
      {view.why && <p class="note" role="status">{view.why}</p>}
      {table.lost && <p class="lost" role="status">The server does not answer ({table.lost}). {!link && "The game is safe in the address of this page; "}trying again…</p>}
      {table.refused && <p class="refused" role="alert">{table.refused}</p>}
      {link?.alert}
      {asked}
      {scene.settings.hints && scene.live && why && <p class="note" role="status">{why}</p>}
      {scene.phone && scene.panel === null && <HintList scene={scene} />}
    </>
  );
}

/** HintList lists the moves with their probabilities, where it pushes no button out of the window. */
export function HintList({ scene: { view, rest, hints, hinted } }: { scene: Scene }) {
  return hinted && rest && <div class="hints"><rest.Lines hints={hints} likely={rulesOf(view.rules).likely} side={view.side} /></div>;
}

/** Question is what the page asks before an action. */
type Question = { text: string; yes: string; no: string; act(): void };

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
