// The table: the board, the players, the actions, and the panels beside it.

import { Fragment, h } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { AnalysisView, EvalBar, judge, lightBefore, mistakes } from "./analysis";
import { type Arrow, Board, Lit, useLit } from "./board";
import { Dice } from "./dice";
import { after, branch, colour, isPerson, nameOf, other, rootOf, type Rules, rulesOf, type Span, winnerOf } from "./game";
import { addAnalysis, addGame } from "./history";
import { usePhone } from "./layout";
import { MoveList } from "./moves";
import { NewGame } from "./newgame";
import { Quiz } from "./quiz";
import { type Settings, type Switch, useSettings } from "./settings";
import { ShareBox } from "./share";
import { firstGame, type Table } from "./table";
import { remember } from "./tree";
import type { About, Analysis, Hints, Side, View } from "./types";

type Panel = "moves" | "analysis" | "share" | "settings" | "new";
const tabs: [Panel, string][] = [["moves", "Moves"], ["analysis", "Analysis"], ["share", "Share"], ["settings", "Settings"]];

/** Question is what the page asks before an action. */
interface Question {
  text: string;
  yes: string;
  no: string;
  act(): void;
}

export function Play({ table, about }: { table: Table; about: About | null }) {
  const { view } = table;
  const phone = usePhone();
  const settings = useSettings();
  const [chosen, setPanel] = useState<Panel | null>(null);
  const panel = chosen ?? (phone ? null : "moves");
  const [chosenTurn, setPast] = useState<number | null>(null);
  const past = chosenTurn !== null && chosenTurn < (view?.turns.length ?? 0) ? chosenTurn : null; // the turn that is looked at, from 0
  const [question, setQuestion] = useState<Question | null>(null);
  const [lesson, setLesson] = useState<number[] | null>(null);
  const [lit, setLit] = useState<Span | null>(null);
  const [unjudged, setUnjudged] = useState({ game: "", why: "" });
  const target = useRef<number | null>(null); // the turn to look at in a game that is being opened
  const analysing = panel === "analysis";
  const shownGame = view && (past === null ? view.game : branch(view.game, past));
  const live = past === null && !table.busy && view !== null && table.shown === view.turns.length;
  const hints = useHints(shownGame, (live && (settings.hints || settings.tutor > 0) && view!.moves.length > 0) || (analysing && !table.busy), setUnjudged);
  const analysis = useAnalysis(view, analysing);
  const why = unjudged.game !== "" && unjudged.game === shownGame ? unjudged.why : "";
  const turns = view?.turns.length ?? 0;
  const look = (turn: number) => setPast(turn >= turns ? null : Math.max(0, turn));
  const move = async (from: number) => {
    const { game } = view!;
    if (settings.tutor > 0) {
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
  const drawn = useRef(view);
  drawn.current = view;
  useFocus(table);
  useKeys({ table, settings, move, stepping: analysing || past !== null, step: (by) => look((past ?? turns) + by), fresh: () => setPanel("new") });
  useLayoutEffect(() => {
    setPast(target.current);
    target.current = null;
    setQuestion(null);
  }, [view?.game]);
  useLayoutEffect(() => {
    if (view && view.result !== "unfinished" && !table.busy) setPanel((now) => (now === "new" ? now : "analysis"));
  }, [view?.result, table.busy]);
  useHistory(view, table.busy, analysis);

  if (!view) return <Waiting table={table} />;
  if (lesson) return <Lesson view={view} analysis={analysis!} turns={lesson} close={() => setLesson(null)} />;
  const rules = rulesOf(view.rules);
  const shown = past ?? table.shown;
  const alone: Side = !isPerson(view, "light") && isPerson(view, "dark") ? "dark" : "light";
  const bottom = settings.flip ? other(alone) : alone;
  const turn = past !== null ? view.turns[past] : shown < turns ? view.turns[shown] : undefined;
  const roll = table.moving?.roll ?? turn?.roll ?? view.roll;
  const judged = past !== null ? analysis?.moves[past] : undefined;
  const openAt = (game: string, at: number) => {
    target.current = at;
    table.open(game);
  };
  return (
    <Lit.Provider value={setLit}>
      <div class="play" data-panel={panel ?? ""} data-turns={turns}>
        <section class="table" aria-label="The game">
          <Seat view={view} side={other(bottom)} table={table} />
          <div class="boards">
            {analysing && <EvalBar value={evaluation(view, past, analysis, hints)} bottom={bottom} />}
            <Board rules={rules} counts={after(view, shown)} bottom={bottom} upright={phone && panel === null} paths={settings.paths} numbers={settings.numbers}
              side={turn?.side ?? view.side} moves={live ? view.moves : []} hints={live && settings.hints ? (hints?.moves ?? []) : []}
              last={past === null && turns > 0 && view.turns[shown - 1]?.from >= 0 ? view.turns[shown - 1] : undefined} lit={lit}
              arrows={past === null ? [] : arrows(rules, view, past, judged?.best)}
              moving={past === null ? table.moving : undefined} moved={table.moved} choose={move} />
          </div>
          <Seat view={view} side={bottom} table={table} />
          <div class="tray">
            <Dice roll={roll} tumbling={table.tumbling} weights={view.rules?.dice} />
            <Status view={view} table={table} past={past} />
          </div>
          {(analysing || past !== null) && (
            <Stepper at={past ?? turns} of={turns} look={look} playOn={() => table.open(branch(view.game, past ?? turns, opponents(view, about)))} />
          )}
          <p class="said" aria-live="polite" data-busy={table.busy}>{table.said}</p>
          {table.lost && <p class="lost" role="status">The server does not answer ({table.lost}). The game is safe in the address of this page; trying again…</p>}
          {table.refused && <p class="refused" role="alert">{table.refused}</p>}
          {question && <Ask question={question} close={() => setQuestion(null)} />}
          {settings.hints && live && why && <p class="note" role="status">{why}</p>}
          {settings.hints && live && hints && hints.moves.length > 0 && !analysing && <HintList hints={hints} side={view.side} />}
          <div class="actions" role="toolbar" aria-label="Game">
            <Action icon="↶" text="Undo" disabled={!view.undo || (table.busy && view.more)} act={() => table.ask("undo")} />
            <Action icon="↷" text="Redo" disabled={!view.redo} act={() => table.ask("redo")} />
            <Action icon="✦" text="Hints" pressed={settings.hints} act={() => settings.set("hints", !settings.hints)} />
            <Action icon="⚑" text="Resign" disabled={view.result !== "unfinished" || !view.players.includes("human")} act={resign} />
            <Action icon="+" text="New game" act={() => setPanel("new")} />
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
            {panel === "analysis" && (
              <AnalysisView view={view} analysis={analysis} hints={hints} unjudged={why} at={past ?? shown} look={look} learn={() => setLesson(mistakes(view, analysis!))} />
            )}
            {panel === "share" && <ShareBox view={view} about={about} open={table.open} />}
            {panel === "settings" && <SettingsPanel settings={settings} />}
            {panel === "new" && <NewGame about={about} begin={(setup) => { table.begin(setup); setPanel(null); }} />}
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
  const all = view.rules ? about?.rules.find((r) => r.name === view.rules!.name)?.players : about?.players;
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
function Stepper({ at, of, look, playOn }: { at: number; of: number; look(turn: number): void; playOn(): void }) {
  return (
    <div class="stepper" role="toolbar" aria-label="Turns">
      <button type="button" aria-label="First turn" disabled={at === 0} onClick={() => look(0)}>«</button>
      <button type="button" aria-label="Previous turn" disabled={at === 0} onClick={() => look(at - 1)}>‹</button>
      <button type="button" aria-label="Next turn" disabled={at >= of} onClick={() => look(at + 1)}>›</button>
      <button type="button" aria-label="Last turn" disabled={at >= of} onClick={() => look(of)}>»</button>
      <button type="button" disabled={at >= of} onClick={playOn}>Play on from here</button>
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

/** Lesson asks for a better move than each mistake. */
function Lesson({ view, analysis, turns, close }: { view: View; analysis: Analysis; turns: number[]; close(): void }) {
  const [number, setNumber] = useState(0);
  const at = turns[number];
  const hints = useHints(branch(view.game, at), true);
  if (!hints) return <p class="note" role="status">Judging the moves…</p>;
  const m = analysis.moves[at];
  const counts = after(view, at);
  const last = number === turns.length - 1;
  return (
    <Quiz key={at} rules={rulesOf(view.rules)} puzzle={{ number: at, title: "", board: [...counts.light, ...counts.dark], side: m.side, roll: m.roll, moves: hints.moves }} by={hints.by}
      question={`Turn ${m.turn}: ${m.move} lost ${(100 * m.regret).toFixed(1)} points. Find a better move.`}
      solved={() => {}} next={last ? undefined : () => setNumber(number + 1)} nextText={`Next mistake (${number + 2} of ${turns.length})`} close={close} />
  );
}

const switches: [Switch, string][] = [
  ["paths", "Show both paths"], ["numbers", "Number the squares of the paths"], ["flip", "Flip the board"], ["sound", "Sound"], ["buzz", "Vibration"],
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
        <select class="tutor" value={settings.tutor} onChange={(e) => settings.setTutor(Number(e.currentTarget.value))}>
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

/** Seat names the player of a side. */
function Seat({ view, side, table }: { view: View; side: Side; table: Table }) {
  const name = nameOf(view, side);
  const turn = view.result === "unfinished" && (table.moving?.side ?? view.turns[table.shown]?.side ?? view.side) === side;
  return (
    <p class={"seat " + side + (turn ? " turn" : "")}>
      <span class="disc" aria-hidden="true" />
      <strong>{name}</strong> {name !== colour(side) && <span class="colour">{colour(side)}</span>}
      {turn && <span class="marker">to move</span>}
    </p>
  );
}

/** Status describes the present phase of the game. */
function Status({ view, table, past }: { view: View; table: Table; past: number | null }) {
  if (past !== null) {
    const t = view.turns[past];
    return <p class="status">Turn {past + 1} of {view.turns.length}: {nameOf(view, t.side)} rolled <strong>{t.roll}</strong>, {t.from < 0 ? "no move" : t.text}.</p>;
  }
  if (view.result !== "unfinished" && !table.busy) return <p class="status over">{resultText(view)}</p>;
  if (table.busy) return <p class="status">…</p>;
  const player = view.players[0] === view.players[1] ? colour(view.side) : "You";
  return (
    <p class="status">
      {player} rolled <strong>{view.roll}</strong>. {view.moves.length === 1 ? "There is one move." : "Choose a piece."}
    </p>
  );
}

/** resultText names the winner, and the side that resigned. */
export function resultText(view: View): string {
  const winner = winnerOf(view);
  if (!winner) return "The game was abandoned.";
  return (view.result.endsWith("resigned") ? `${nameOf(view, other(winner))} resigned. ` : "") + `${nameOf(view, winner)} won.`;
}

function HintList({ hints, side }: { hints: Hints; side: Side }) {
  const sorted = [...hints.moves].sort((a, b) => b.win - a.win);
  const lit = useLit();
  return (
    <div class="hints">
      <p class="judge">{judge(hints.by)}</p>
      <ol>
        {sorted.map((m) => (
          <li {...lit({ side, from: m.from, to: m.to })}>
            <span>{m.text}</span>
            <span class="bar" aria-hidden="true"><span style={{ width: `${100 * m.win}%` }} /></span>
            <span class="figure">{(100 * m.win).toFixed(1)}%</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** useHints asks for the values of the moves of a game while they are wanted. */
function useHints(game: string | null, wanted: boolean, failed: (why: { game: string; why: string }) => void = () => {}): Hints | null {
  const [found, setFound] = useState<{ game: string; hints: Hints } | null>(null);
  const asks = wanted && game !== null && found?.game !== game;
  useEffect(() => {
    let current = true;
    if (asks) {
      api.patient(() => api.hints(game), () => {}, () => !current)
        .then((hints) => current && setFound({ game, hints }))
        .catch((error) => current && failed({ game, why: error.message }));
    }
    return () => void (current = false);
  }, [asks, game]);
  return found?.game === game ? found.hints : null;
}

/** useAnalysis asks for the analysis of a game while it is wanted. */
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

/** useHistory remembers the variations of a game, and keeps a game that was finished here. */
function useHistory(view: View | null, busy: boolean, analysis: Analysis | null): void {
  const before = useRef("");
  useEffect(() => {
    if (!view) return;
    remember(view.game);
    if (view.result === "unfinished") before.current = rootOf(view.game);
    else if (!busy && before.current === rootOf(view.game)) addGame(view);
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
  move(from: number): void;
  step(by: number): void;
  fresh(): void;
}

/** useKeys plays the game by single keys; see the page of the rules. A key has the meaning that
 * the page shows at that moment: one listener stays, and reads what was drawn last. */
function useKeys(keys: Keys): void {
  const drawn = useRef(keys);
  drawn.current = keys;
  useLayoutEffect(() => {
    const pressed = (e: KeyboardEvent) => {
      const at = e.target as HTMLElement;
      if (e.ctrlKey || e.altKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName ?? "")) return;
      const { table, settings, stepping, move, step, fresh } = drawn.current;
      const moves = table.busy ? [] : (table.view?.moves ?? []);
      const number = /^[1-9]$/.test(e.key) ? Number(e.key) - 1 : -1;
      const go = (by: number) => () => (stepping ? step(by) : toPiece(by));
      const does: Record<string, () => void> = {
        u: () => table.view?.undo && !table.busy && table.ask("undo"),
        r: () => table.view?.redo && !table.busy && table.ask("redo"),
        h: () => settings.set("hints", !settings.hints),
        p: () => settings.set("paths", !settings.paths),
        f: () => settings.set("flip", !settings.flip),
        n: fresh,
        ArrowRight: go(1),
        ArrowDown: go(1),
        ArrowLeft: go(-1),
        ArrowUp: go(-1),
        ...(stepping ? { Home: () => step(-1e6), End: () => step(1e6) } : {}),
      };
      if (number >= 0 && number < moves.length) move(moves[number].from);
      else if (e.key.startsWith("Arrow") && !stepping && !at.classList?.contains("choice") && at !== document.body) return;
      else if (does[e.key]) does[e.key]();
      else return;
      e.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

/** toPiece moves the focus from one piece to the next. */
function toPiece(by: number): void {
  const pieces = [...document.querySelectorAll<HTMLElement>(".choice")];
  if (pieces.length === 0) return;
  const at = pieces.indexOf(document.activeElement as HTMLElement);
  pieces[at < 0 ? 0 : (at + by + pieces.length) % pieces.length].focus();
}
