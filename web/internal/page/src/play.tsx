// The table: the board, who plays, what can be done, and beside it the moves and what they
// were worth.

import { Fragment, h } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { AnalysisView } from "./analysis";
import { Board } from "./board";
import { Dice } from "./dice";
import { after, playerName } from "./game";
import { MoveList } from "./moves";
import { NewGame } from "./newgame";
import { ShareBox } from "./share";
import type { Table } from "./table";
import type { About, Analysis, Hints, Side, View } from "./types";

const phone = matchMedia("(max-width: 640px)");

/** usePhone reports whether the board should stand. */
function usePhone(): boolean {
  const [is, setIs] = useState(phone.matches);
  useLayoutEffect(() => {
    const changed = () => setIs(phone.matches);
    phone.addEventListener("change", changed);
    return () => phone.removeEventListener("change", changed);
  }, []);
  return is;
}

/** useStored is a switch that the browser remembers. */
function useStored(name: string, begin: boolean): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => {
    try {
      return (localStorage.getItem(name) ?? String(begin)) === "true";
    } catch {
      return begin;
    }
  });
  return [on, (value) => {
    setOn(value);
    try {
      localStorage.setItem(name, String(value));
    } catch {
      // Only this page knows then.
    }
  }];
}

type Panel = "moves" | "analysis" | "new" | "share";

export function Play({ table, about }: { table: Table; about: About | null }) {
  const { view } = table;
  const upright = usePhone();
  const [panel, setPanel] = useState<Panel>("moves");
  const [past, setPast] = useState<number | null>(null); // the turn that is looked at
  const [hinting, setHinting] = useStored("ur.hints", false);
  const [paths, setPaths] = useStored("ur.paths", true);
  const open = (name: Panel) => {
    setPanel(name);
    requestAnimationFrame(() => document.querySelector(".side")?.scrollIntoView({ block: "nearest" }));
  };
  const hints = useHints(view, hinting && !table.busy);
  const analysis = useAnalysis(view, panel === "analysis");
  useFocus(table);
  useKeys({ table, hint: () => setHinting(!hinting), paths: () => setPaths(!paths), fresh: () => open("new") });
  // Before anybody can do something with what is drawn: what they choose then stays.
  useLayoutEffect(() => setPast(null), [view?.game]);
  useLayoutEffect(() => {
    if (view && view.result !== "unfinished" && !table.busy) setPanel("analysis");
  }, [view?.result, table.busy]);

  if (!view) return <Waiting table={table} />;
  const shown = past ?? table.shown;
  const counts = after(view.pieces, view.turns, shown);
  const live = past === null && !table.busy && shown === view.turns.length;
  const bottom: Side = view.players[0] !== "human" && view.players[1] === "human" ? "dark" : "light";
  const roll = table.moving?.roll ?? (past !== null ? (view.turns[past - 1]?.roll ?? null) : shown < view.turns.length ? view.turns[shown].roll : view.roll);
  return (
    <div class="play">
      <section class="table" aria-label="The game">
        <Seat view={view} side={bottom === "light" ? "dark" : "light"} table={table} />
        <Board counts={counts} bottom={bottom} upright={upright} paths={paths} side={view.side}
          moves={live ? view.moves : []} hints={live && hinting ? (hints?.moves ?? []) : []}
          last={view.turns[shown - 1]} moving={past === null ? table.moving : undefined} moved={table.moved}
          choose={(from) => table.ask("move", { from })} />
        <Seat view={view} side={bottom} table={table} />
        <div class="tray">
          <Dice roll={roll} tumbling={table.tumbling} />
          <Status view={view} table={table} past={past} back={() => setPast(null)} />
        </div>
        <p class="said" aria-live="polite" data-busy={table.busy}>{table.said}</p>
        {table.lost && <p class="lost" role="status">The server does not answer ({table.lost}). The game is safe in the address of this page; asking again…</p>}
        {table.refused && <p class="refused" role="alert">{table.refused}</p>}
        {hinting && live && hints && hints.moves.length > 0 && <HintList hints={hints} />}
        <div class="actions" role="toolbar" aria-label="Game">
          <button type="button" disabled={!view.undo || (table.busy && view.more)} onClick={() => table.ask("undo")}>Undo</button>
          <button type="button" disabled={!view.redo} onClick={() => table.ask("redo")}>Redo</button>
          <button type="button" aria-pressed={hinting} onClick={() => setHinting(!hinting)}>Hints</button>
          <button type="button" aria-pressed={paths} onClick={() => setPaths(!paths)}>Paths</button>
          <button type="button" disabled={view.result !== "unfinished" || !view.players.includes("human")} onClick={() => table.ask("resign")}>Resign</button>
          <button type="button" class="primary" onClick={() => open("new")}>New game</button>
        </div>
      </section>
      <aside class="side" aria-label="About the game">
        <div class="tabs" role="group" aria-label="What to show">
          {(["moves", "analysis", "share", "new"] as Panel[]).map((name) => (
            <button type="button" aria-pressed={panel === name} onClick={() => setPanel(name)}>
              {{ moves: "Moves", analysis: "Analysis", share: "Share", new: "New game" }[name]}
            </button>
          ))}
        </div>
        {panel === "moves" && <MoveList view={view} shown={shown} look={(n) => setPast(n === view.turns.length ? null : n)} />}
        {panel === "analysis" && <AnalysisView view={view} analysis={analysis} shown={shown} look={(n) => setPast(n === view.turns.length ? null : n)} />}
        {panel === "share" && <ShareBox view={view} about={about} open={table.open} />}
        {panel === "new" && <NewGame about={about} begin={(...chosen) => { table.begin(...chosen); setPanel("moves"); }} />}
      </aside>
    </div>
  );
}

function Waiting({ table }: { table: Table }) {
  return (
    <div class="waiting">
      <p role="status">{table.lost ? `The server does not answer (${table.lost}); asking again…` : "Setting up the board…"}</p>
      {table.refused && (
        <Fragment>
          <p class="refused" role="alert">{table.refused}</p>
          <button type="button" class="primary" onClick={() => table.begin("human", "level:4", 7)}>Begin a new game</button>
        </Fragment>
      )}
    </div>
  );
}

/** Seat shows who plays a side. */
function Seat({ view, side, table }: { view: View; side: Side; table: Table }) {
  const name = playerName(view.players[side === "light" ? 0 : 1]);
  const colour = side === "light" ? "Light" : "Dark";
  const alike = view.players[0] === view.players[1];
  const turn = view.result === "unfinished" && (table.moving?.side ?? view.turns[table.shown]?.side ?? view.side) === side;
  return (
    <p class={"seat " + side + (turn ? " turn" : "")}>
      <span class="disc" aria-hidden="true" />
      <strong>{alike ? colour : name}</strong> {!alike && <span class="colour">{colour}</span>}
      {turn && <span class="marker">to move</span>}
    </p>
  );
}

/** Status says what the game waits for. */
function Status({ view, table, past, back }: { view: View; table: Table; past: number | null; back(): void }) {
  if (past !== null) {
    return (
      <p class="status">
        {past === 0 ? "The beginning." : `After turn ${past}.`} <button type="button" onClick={back}>Back to the game</button>
      </p>
    );
  }
  if (view.result !== "unfinished" && !table.busy) return <p class="status over">{resultText(view)}</p>;
  if (table.busy) return <p class="status">…</p>;
  const who = view.players[0] === view.players[1] ? (view.side === "light" ? "Light" : "Dark") + " rolled" : "You rolled";
  return (
    <p class="status">
      {who} <strong>{view.roll}</strong>. {view.moves.length === 1 ? "There is one move." : "Choose a piece."}
    </p>
  );
}

/** resultText says who has won. */
export function resultText(view: View): string {
  const [winner, resigned] = { light: [0, false], dark: [1, false], "light resigned": [1, true], "dark resigned": [0, true] }[view.result] ?? [-1, false];
  if (winner === -1) return "Nobody has won.";
  const human = view.players[winner as number] === "human";
  const both = view.players[0] === view.players[1];
  const name = both ? (winner === 0 ? "Light" : "Dark") : playerName(view.players[winner as number]);
  return `${name} ${human && !both ? "have" : "has"} won${resigned ? ", the other side resigned" : ""}.`;
}

function HintList({ hints }: { hints: Hints }) {
  const sorted = [...hints.moves].sort((a, b) => b.win - a.win);
  return (
    <div class="hints">
      <p>
        Chances to win, by {hints.by === "table" ? "the exact solution" : "a search"}:
      </p>
      <ol>
        {sorted.map((m) => (
          <li>
            <span>{m.text}</span>
            <span class="bar" aria-hidden="true"><span style={{ width: `${100 * m.win}%` }} /></span>
            <span class="figure">{(100 * m.win).toFixed(1)}%</span>
          </li>
        ))}
      </ol>
      {hints.line.length > 1 && <p class="line">Best line with rolls of 2: {hints.line.join(", ")}</p>}
    </div>
  );
}

/** useHints asks what the moves are worth, when somebody wants to know. */
function useHints(view: View | null, wanted: boolean): Hints | null {
  const [found, setFound] = useState<{ game: string; hints: Hints } | null>(null);
  const game = view?.game ?? "";
  const asks = wanted && view !== null && view.moves.length > 0 && found?.game !== game;
  useEffect(() => {
    let current = true;
    if (asks) {
      api.patient(() => api.hints(game), () => {}, () => !current)
        .then((hints) => current && setFound({ game, hints }))
        .catch(() => {});
    }
    return () => void (current = false);
  }, [asks, game]);
  return found?.game === game ? found.hints : null;
}

/** useAnalysis asks where the game was won and lost, when somebody wants to know. */
function useAnalysis(view: View | null, wanted: boolean): Analysis | null {
  const [found, setFound] = useState<{ game: string; analysis: Analysis } | null>(null);
  const game = view?.game ?? "";
  const asks = wanted && view !== null && view.turns.length > 0 && found?.game !== game;
  useEffect(() => {
    let current = true;
    if (asks) {
      api.patient(() => api.analysis(game), () => {}, () => !current)
        .then((analysis) => current && setFound({ game, analysis }))
        .catch(() => {});
    }
    return () => void (current = false);
  }, [asks, game]);
  return found?.game === game ? found.analysis : null;
}

/** useFocus keeps the keyboard at the board: when it is a person's turn, on a piece that can
 * move, unless somebody is busy elsewhere. */
function useFocus(table: Table): void {
  const { view, busy } = table;
  useLayoutEffect(() => {
    const idle = document.activeElement === null || document.activeElement === document.body;
    if (!busy && view && view.moves.length > 0 && idle) {
      document.querySelector<HTMLElement>(".choice")?.focus({ preventScroll: true });
    }
  }, [view?.game, busy]);
}

interface Keys {
  table: Table;
  hint(): void;
  paths(): void;
  fresh(): void;
}

/** useKeys lets the game be played by single keys; see the page of the rules. A key means what
 * the page shows at that moment: one listener stays, and reads what was drawn last. */
function useKeys(keys: Keys): void {
  const drawn = useRef(keys);
  drawn.current = keys;
  useLayoutEffect(() => {
    const pressed = (e: KeyboardEvent) => {
      const at = e.target as HTMLElement;
      if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName)) return;
      const { table, hint, paths, fresh } = drawn.current;
      const { view, busy } = table;
      const moves = view && !busy ? view.moves : [];
      const number = "1234567".indexOf(e.key);
      const does: Record<string, () => void> = {
        u: () => view?.undo && !busy && table.ask("undo"),
        r: () => view?.redo && !busy && table.ask("redo"),
        h: hint,
        p: paths,
        n: fresh,
        ArrowRight: () => step(1),
        ArrowDown: () => step(1),
        ArrowLeft: () => step(-1),
        ArrowUp: () => step(-1),
      };
      if (number >= 0 && number < moves.length) table.ask("move", { from: moves[number].from });
      else if (e.key.startsWith("Arrow") && !at.classList.contains("choice") && at !== document.body) return;
      else if (does[e.key]) does[e.key]();
      else return;
      e.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

/** step moves the focus from one piece to the next. */
function step(by: number): void {
  const pieces = [...document.querySelectorAll<HTMLElement>(".choice")];
  if (pieces.length === 0) return;
  const at = pieces.indexOf(document.activeElement as HTMLElement);
  pieces[at < 0 ? 0 : (at + by + pieces.length) % pieces.length].focus();
}
