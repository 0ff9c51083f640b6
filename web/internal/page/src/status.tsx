// The texts beside the board: the players, the phase of the game, and messages.

import type { ComponentChildren } from "preact";
import { colour, nameOf, other, rulesOf, winnerOf } from "./game";
import type { Scene } from "./scene";
import { firstGame, type Table } from "./table";
import type { Side, View } from "./types";

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
  if (view.result !== "unfinished" && !table.busy) return <p class="status over" role="status">{resultText(view)}</p>;
  if (table.busy) return <p class="status">…</p>;
  if (waits) return <p class="status" role="status">{waits}</p>;
  return (
    <p class="status">
      {nameOf(view, view.side)} rolled <strong>{view.roll}</strong>. {view.moves.length === 1 ? "There is one move." : view.moves.length > 1 && "Choose a piece."}
    </p>
  );
}

function resultText(view: View): string {
  const winner = winnerOf(view);
  if (!winner) return "The game was abandoned.";
  return (view.result.endsWith("resigned") ? `${nameOf(view, other(winner))} resigned. ` : "") + `${nameOf(view, winner)} won.`;
}

/** Notes are the messages on the game, with the open question and the hints. */
export function Notes({ scene, asked }: { scene: Scene; asked: ComponentChildren }) {
  const { view, table, link, past, rest, hints, why } = scene;
  const hinted = scene.settings.hints && scene.live;
  return (
    <>
      <p class="said" aria-live="polite" data-busy={table.busy}>{past === null && table.said}</p>
      {view.why && <p class="note" role="status">{view.why}</p>}
      {table.lost && <p class="lost" role="status">The server does not answer ({table.lost}). {!link && "The game is safe in the address of this page; "}trying again…</p>}
      {table.refused && <p class="refused" role="alert">{table.refused}</p>}
      {link?.alert}
      {asked}
      {hinted && why && <p class="note" role="status">{why}</p>}
      {hinted && rest && hints && hints.moves.length > 0 && !scene.analysing && (
        <div class="hints"><rest.Lines hints={hints} likely={rulesOf(view.rules).likely} side={view.side} /></div>
      )}
    </>
  );
}
