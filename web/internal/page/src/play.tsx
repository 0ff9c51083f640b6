// The table: the board, the players, the actions, and the panels beside it. It is the same for
// games against programs and for games by a link.

import { type ComponentChildren, Fragment, h } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { type Arrow, Board, Lit } from "./board";
import { Dice } from "./dice";
import { after, branch, colour, isPerson, lightBefore, mistakes, nameOf, other, rootOf, type Rules, rulesOf, type Span, winnerOf } from "./game";
import { addAnalysis, addGame } from "./history";
import { focusForm, usePhone } from "./layout";
import { useRest } from "./lazy";
import { MoveList } from "./moves";
import { type Settings, useSettings } from "./settings";
import { firstGame, type Table } from "./table";
import { remember } from "./tree";
import type { About, Analysis, Hints, Side, View } from "./types";

type Panel = "moves" | "analysis" | "link" | "share" | "settings" | "new";

/** Link is what a game by a link adds to the table. */
export interface Link {
  playing: boolean; // this browser has a seat, and the game goes on
  waits: string; // for what the game waits, or ""
  seat(side: Side): string; // a note on a player
  alert: ComponentChildren;
  actions: ComponentChildren;
  panel: ComponentChildren;
}

/** Question is what the page asks before an action. */
interface Question {
  text: string;
  yes: string;
  no: string;
  act(): void;
}

export function Play({ table, about, link }: { table: Table; about: About | null; link?: Link }) {
  const { view } = table;
  const phone = usePhone();
  const settings = useSettings();
  const [chosen, setPanel] = useState<Panel | null>(null);
  const panel = chosen ?? (phone ? null : link ? "link" : "moves");
  const [chosenTurn, setPast] = useState<number | null>(null);
  const past = chosenTurn !== null && chosenTurn < (view?.turns.length ?? 0) ? chosenTurn : null; // the turn that is looked at, from 0
  const [question, setQuestion] = useState<Question | null>(null);
  const [lesson, setLesson] = useState<number[] | null>(null);
  const [lit, setLit] = useState<Span | null>(null);
  const target = useRef<number | null>(null); // the turn to look at in a game that is being opened
  const rest = useRest(settings.hints || (panel !== null && panel !== "moves" && panel !== "link"));
  const turns = view?.turns.length ?? 0;
  const over = view !== null && view.result !== "unfinished";
  const helped = !link || over; // no hints in a game between two people
  const analysing = panel === "analysis";
  const shownGame = view && (past === null ? view.game : branch(view.game, past));
  const live = past === null && !table.busy && view !== null && table.shown === turns;
  const wanted = (live && (settings.hints || settings.tutor > 0) && view!.moves.length > 0) || (analysing && !table.busy);
  const { answer: hints, why } = useAnswer(shownGame, wanted && helped, api.hints);
  const { answer: analysis } = useAnswer(view && turns > 0 ? view.game : null, analysing, api.analysis);
  const look = (turn: number) => setPast(turn >= turns ? null : Math.max(0, turn));
  const move = async (from: number) => {
    const { game } = view!;
    if (settings.tutor > 0 && helped) {
      const judged = hints ?? (await api.hints(game).catch(() => null));
      if (drawn.current?.game !== game) return;
      const m = judged?.moves.find((x) => x.from === from);
      if (m && 100 * m.regret > settings.tutor) {
        setQuestion({
          text: `${m.text} loses ${(100 * m.regret).toFixed(1)} points of your chances.`, yes: "Play it", no: "Choose another move",
          act: () => table.ask("move", { from }),
        });
        return;
      }
    }
    table.ask("move", { from });
  };
  const resign = () =>
    setQuestion({ text: "Resign this game?", yes: "Resign", no: "Play on", act: () => table.ask("resign") });
  const fresh = () => {
    setPanel("new");
    focusForm(); // of the form that is open already; a new one takes the focus itself
  };
  const drawn = useRef(view);
  drawn.current = view;
  const stepping = analysing || past !== null;
  useFocus(table);
  useKeys({ table, settings, stepping, step: (by) => look((past ?? turns) + by), fresh });
  useLayoutEffect(() => {
    setPast(target.current);
    target.current = null;
    setQuestion(null);
  }, [view?.game]);
  useLayoutEffect(() => setLit(null), [view?.game, past, panel]);
  useLayoutEffect(() => {
    if (over && !table.busy) setPanel((now) => (now === "new" || link ? now : "analysis"));
  }, [view?.result, table.busy]);
  useHistory(view, table.busy, analysis, link);

  if (!view) return <Waiting table={table} />;
  if (lesson && rest) return <rest.Lesson view={view} analysis={analysis!} turns={lesson} close={() => setLesson(null)} />;
  const rules = rulesOf(view.rules);
  const shown = past ?? table.shown;
  const alone: Side = view.you ?? (!isPerson(view, "light") && isPerson(view, "dark") ? "dark" : "light");
  const bottom = settings.flip ? other(alone) : alone;
  const turn = past !== null ? view.turns[past] : shown < turns ? view.turns[shown] : undefined;
  const roll = table.moving?.roll ?? turn?.roll ?? view.roll;
  const judged = past !== null ? analysis?.moves[past] : undefined;
  const openAt = (game: string, at: number) => {
    target.current = at;
    table.open(game);
  };
  const tabs = ([["moves", "Moves"], ["analysis", "Analysis", helped], ["link", "Link", link], ["share", "Share", helped], ["settings", "Settings"]] as const).filter((t) => t.length === 2 || t[2]);
  const seat = (side: Side) => <Seat view={view} side={side} table={table} note={link?.seat(side)} title={side === bottom ? undefined : rules.set.title} />;
  return (
    <Lit.Provider value={setLit}>
      <div class={"play" + (link ? " friend" : "")} data-panel={panel ?? ""} data-turns={turns}>
        <section class="table" aria-label="The game">
          {seat(other(bottom))}
          <div class="boards">
            {analysing && rest && <rest.EvalBar value={evaluation(view, past, analysis, hints)} bottom={bottom} />}
            <Board rules={rules} counts={after(view, shown)} bottom={bottom} upright={phone && panel === null} paths={settings.paths} numbers={settings.numbers}
              side={turn?.side ?? view.side} moves={live && !link?.waits ? view.moves : []} hints={live && settings.hints ? (hints?.moves ?? []) : []}
              last={past === null && turns > 0 && view.turns[shown - 1]?.from >= 0 ? view.turns[shown - 1] : undefined} lit={lit}
              arrows={past === null ? [] : arrows(rules, view, past, judged?.best)} stepping={stepping}
              moving={past === null ? table.moving : undefined} moved={table.moved} choose={move} />
          </div>
          {seat(bottom)}
          <div class="tray">
            <Dice roll={roll} tumbling={table.tumbling} weights={view.rules?.dice} />
            <Status view={view} table={table} past={past} waits={link?.waits ?? ""} />
          </div>
          {stepping && (
            <Stepper at={past ?? turns} of={turns} look={look} playOn={helped ? () => table.open(branch(view.game, past ?? turns, opponents(view, about))) : undefined} />
          )}
          <p class="said" aria-live="polite" data-busy={table.busy}>{past === null && table.said}</p>
          {view.why && <p class="note" role="status">{view.why}</p>}
          {table.lost && <p class="lost" role="status">The server does not answer ({table.lost}). {!link && "The game is safe in the address of this page; "}trying again…</p>}
          {table.refused && <p class="refused" role="alert">{table.refused}</p>}
          {link?.alert}
          {question && <Ask question={question} close={() => setQuestion(null)} />}
          {settings.hints && live && why && <p class="note" role="status">{why}</p>}
          {settings.hints && live && rest && hints && hints.moves.length > 0 && !analysing && <div class="hints"><rest.Lines hints={hints} likely={rules.likely} side={view.side} /></div>}
          <div class="actions" role="toolbar" aria-label="Game">
            {link?.actions}
            {!link && <Action icon="↶" text="Undo" disabled={!view.undo || (table.busy && view.more)} act={() => table.ask("undo")} />}
            {!link && <Action icon="↷" text="Redo" disabled={!view.redo} act={() => table.ask("redo")} />}
            {helped && <Action icon="✦" text="Hints" pressed={settings.hints} act={() => settings.set("hints", !settings.hints)} />}
            <Action icon="⚑" text="Resign" disabled={over || !(link ? link.playing : view.players.includes("human"))} act={resign} />
            <Action icon="+" text="New game" act={fresh} />
            {phone && (panel === null
              ? <Action icon="☰" text="More" act={() => setPanel("moves")} />
              : <Action icon="▦" text="Board" act={() => { setPanel(null); setPast(null); }} />)}
          </div>
        </section>
        {panel !== null && (
          <aside class="side" aria-label="About the game">
            <div class="tabs" role="group" aria-label="Panel">
              {tabs.map(([name, text]) => (
                <button type="button" aria-pressed={panel === name} onClick={() => setPanel(name)}>{text}</button>
              ))}
            </div>
            {view.rules && panel !== "new" && (
              <details class="ruleset">
                <summary>The rules: {view.rules.title}</summary>
                <p>{view.rules.about}</p>
              </details>
            )}
            {panel === "moves" && <MoveList view={view} at={past ?? shown} look={look} open={openAt} />}
            {panel === "link" && link?.panel}
            {panel === "settings" && <SettingsPanel settings={settings} />}
            {rest && panel === "analysis" && (
              <rest.AnalysisView view={view} analysis={analysis} hints={hints} unjudged={why} at={past ?? shown} look={look} learn={() => setLesson(mistakes(view, analysis!))} />
            )}
            {rest && panel === "share" && <rest.ShareBox view={view} about={about} open={table.open} />}
            {rest && panel === "new" && <rest.NewGame about={about} begin={(setup) => { table.begin(setup); setPanel(null); }} />}
          </aside>
        )}
      </div>
    </Lit.Provider>
  );
}

/** arrows are the played move of a turn, and the best if it is another. */
function arrows(rules: Rules, view: View, at: number, best?: string): Arrow[] {
  const t = view.turns[at];
  const list: Arrow[] = t.from < 0 ? [] : [{ side: t.side, from: t.from, to: t.to, kind: "played" }];
  const span = best && best !== t.text ? rules.spanOf(t.side, best) : null;
  return span ? [{ ...span, kind: "best" }, ...list] : list;
}

/** evaluation is the probability that Light wins in the shown position, as far as it is known. */
function evaluation(view: View, past: number | null, analysis: Analysis | null, hints: Hints | null): number {
  const winner = winnerOf(view);
  if (past === null && winner) return winner === "light" ? 1 : 0;
  if (past !== null && analysis?.moves[past]) return lightBefore(analysis.moves[past]);
  if (hints && past === null && view.result === "unfinished") return view.side === "light" ? hints.before : 1 - hints.before;
  const last = analysis?.moves[analysis.moves.length - 1];
  return last ? (last.side === "light" ? last.win : 1 - last.win) : 0.5;
}

/** opponents are the players of a variation: a player that is not available becomes a person. */
function opponents(view: View, about: About | null): [string, string] {
  const all = about?.rules.find((r) => r.name === (view.rules?.name ?? "finkel"))?.players;
  const known = (name: string) => (all?.some((p) => p.name === name && p.most >= view.pieces) ? name : "human");
  const players = view.players.map(known) as [string, string];
  return players.includes("human") ? players : ["human", "human"];
}

function Action(p: { icon: string; text: string; pressed?: boolean; disabled?: boolean; act(): void }) {
  return (
    <button type="button" aria-pressed={p.pressed} disabled={p.disabled} onClick={p.act}>
      <span class="icon" aria-hidden="true">{p.icon}</span>
      <span class="label">{p.text}</span>
    </button>
  );
}

/** Stepper goes through the turns. */
function Stepper({ at, of, look, playOn }: { at: number; of: number; look(turn: number): void; playOn?(): void }) {
  const steps: [string, string, number][] = [["First turn", "«", 0], ["Previous turn", "‹", at - 1], ["Next turn", "›", at + 1], ["Last turn", "»", of]];
  return (
    <div class="stepper" role="toolbar" aria-label="Turns">
      {steps.map(([name, sign, to], i) => (
        <button type="button" aria-label={name} disabled={i < 2 ? at === 0 : at >= of} onClick={() => look(to)}>{sign}</button>
      ))}
      {playOn && <button type="button" disabled={at >= of} onClick={playOn}>Play on from here</button>}
    </div>
  );
}

/** Ask shows a question with its two answers. */
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

const switches: ["paths" | "numbers" | "flip" | "sound" | "vibration", string][] = [
  ["paths", "Show both paths"], ["numbers", "Number the squares of the paths"], ["flip", "Flip the board"], ["sound", "Sound"], ["vibration", "Vibration"],
];

function SettingsPanel({ settings }: { settings: Settings }) {
  return (
    <div class="form">
      {switches.map(([name, text]) => (
        <label class="switch">
          <input type="checkbox" checked={settings[name]} onChange={(e) => settings.set(name, e.currentTarget.checked)} /> {text}
        </label>
      ))}
      <label>
        Tutor: warn before a move that loses
        <select class="tutor" value={settings.tutor} onChange={(e) => settings.set("tutor", Number(e.currentTarget.value))}>
          <option value={0}>never</option>
          {[1, 2, 3, 5, 10].map((n) => <option value={n}>more than {n} {n === 1 ? "point" : "points"}</option>)}
        </select>
      </label>
      <p class="note">A point is one per cent of the probability to win.</p>
    </div>
  );
}

function Waiting({ table }: { table: Table }) {
  return (
    <div class="waiting">
      <p role="status">{table.lost ? `The server does not answer (${table.lost}); trying again…` : "Setting up the board…"}</p>
      {table.refused && (
        <Fragment>
          <p class="refused" role="alert">{table.refused}</p>
          <button type="button" class="primary" onClick={() => table.begin(firstGame)}>Begin a new game</button>
        </Fragment>
      )}
    </div>
  );
}

/** Seat names the player of a side, and the rule set with one of them. */
function Seat({ view, side, table, note, title }: { view: View; side: Side; table: Table; note?: string; title?: string }) {
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

/** Status describes the present phase of the game. */
function Status({ view, table, past, waits }: { view: View; table: Table; past: number | null; waits: string }) {
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

/** resultText names the winner, and the side that resigned. */
function resultText(view: View): string {
  const winner = winnerOf(view);
  if (!winner) return "The game was abandoned.";
  return (view.result.endsWith("resigned") ? `${nameOf(view, other(winner))} resigned. ` : "") + `${nameOf(view, winner)} won.`;
}

/** useAnswer asks about a game while it is wanted, and returns the answer, or why there is none. */
export function useAnswer<T>(game: string | null, wanted: boolean, ask: (game: string) => Promise<T>): { answer: T | null; why: string } {
  const none = { game: "", answer: null as T | null, why: "" };
  const [found, setFound] = useState(none);
  const asks = wanted && game !== null && found.game !== game;
  useEffect(() => {
    let current = true;
    if (asks) {
      api.patient(() => ask(game), () => {}, () => !current).then(
        (answer) => current && setFound({ game, answer, why: "" }),
        (error) => current && setFound({ game, answer: null, why: error.message }),
      );
    }
    return () => void (current = false);
  }, [asks, game]);
  return found.game === game ? found : none;
}

/** useHistory remembers the variations of a game, and keeps a game that was finished here. */
function useHistory(view: View | null, busy: boolean, analysis: Analysis | null, link?: Link): void {
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

/** useFocus keeps the keyboard at the board: when a person has to move, on a piece that can
 * move, unless another element has the focus. */
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
  settings: Settings;
  stepping: boolean; // the arrow keys step through the turns
  step(by: number): void;
  fresh(): void;
}

/** useKeys plays the game by single keys; see the page of the rules. A key has the meaning that
 * the page shows at that moment: one listener stays, and reads what was drawn last. The board
 * itself takes the keys of its pieces. */
function useKeys(keys: Keys): void {
  const drawn = useRef(keys);
  drawn.current = keys;
  useLayoutEffect(() => {
    const pressed = (e: KeyboardEvent) => {
      if (e.ctrlKey || e.altKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test((e.target as HTMLElement).tagName ?? "")) return;
      const { table, settings, stepping, step, fresh } = drawn.current;
      const does: Record<string, () => void> = {
        u: () => table.view?.undo && !table.busy && table.ask("undo"),
        r: () => table.view?.redo && !table.busy && table.ask("redo"),
        h: () => settings.set("hints", !settings.hints),
        p: () => settings.set("paths", !settings.paths),
        f: () => settings.set("flip", !settings.flip),
        n: fresh,
        ...(stepping ? {
          ArrowRight: () => step(1), ArrowDown: () => step(1), ArrowLeft: () => step(-1), ArrowUp: () => step(-1),
          Home: () => step(-1e6), End: () => step(1e6),
        } : {}),
      };
      if (!does[e.key]) return;
      does[e.key]();
      e.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}
