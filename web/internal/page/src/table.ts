// A game at the table: it asks the engine, shows one turn after another, and keeps the game
// in the address of the page.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { inWords, isPerson } from "./game";
import { calm, useEvent } from "./layout";
import { keep as store, read, readJSON } from "./settings";
import type { Turn, View } from "./types";

export interface GameSetup {
  light: string;
  dark: string;
  rules?: string; // the name of the rule set; otherwise Finkel's
  pieces: number;
  start?: string; // position in text form; otherwise all pieces are in hand
  roll?: number; // the first roll; otherwise any
}

export const firstOpponent = "level:4";
export const firstGame: GameSetup = { light: "human", dark: firstOpponent, pieces: 7 };

interface Shown {
  shown: number; // turns that are on the board
  moving?: Turn; // the turn that is being made
  tumbling: boolean; // the dice are
  said: string; // what happened last, in words
  moved(): void;
}

/** Table is the state of a game at the table, wherever its moves come from. */
export interface Table extends Shown {
  view: View | null;
  busy: boolean; // the engine is asked, or turns are being shown
  lost: string; // why it does not answer, or ""
  refused: string; // why it rejected a request, or ""
  ask(verb: string, question?: api.Question): void;
  begin(setup: GameSetup): void;
  open(game: string): void;
}

const tumble = 420; // ms
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, calm() ? 0 : ms));

/** useTurns shows the turns of a game on the board one after another. */
export function useTurns() {
  const [shown, setShown] = useState(0);
  const [moving, setMoving] = useState<Turn | undefined>();
  const [tumbling, setTumbling] = useState(false);
  const [said, setSaid] = useState("");
  const arrived = useRef<() => void>(() => {});
  const still = () => {
    setMoving(undefined);
    setTumbling(false);
  };
  /** follow shows the turns from one on, as long as current returns true. */
  async function follow(v: View, from: number, current: () => boolean) {
    const words: string[] = [];
    setShown(Math.min(from, v.turns.length));
    for (let i = from; i < v.turns.length && current(); i++) {
      const turn = v.turns[i];
      if (!isPerson(v, turn.side) || turn.from < 0) {
        setTumbling(true);
        await pause(tumble);
        setTumbling(false);
      }
      words.push(inWords(v, turn));
      setSaid(words.slice(-3).join(". ")); // programs may go on for long
      if (turn.from < 0) await pause(700);
      else await new Promise<void>((resolve) => ((arrived.current = resolve), setMoving(turn)));
      if (!current()) return;
      signal(turn);
      setMoving(undefined);
      setShown(i + 1);
    }
  }
  const onBoard: Shown = { shown, moving, tumbling, said, moved: () => arrived.current() };
  return { onBoard, follow, still, setSaid };
}

/** linked returns the game in the address, if there is one. */
export const linked = () => /^#\/g\/(.+)$/.exec(location.hash)?.[1] ?? "";

/** keep puts a game into the address. */
function keep(game: string): void {
  // In another room the address belongs to that room.
  if (linked() !== game && /^(#\/?(g\/.*)?)?$/.test(location.hash)) history.replaceState(history.state, "", "#/g/" + game);
  store("game", game);
}

export function useTable(): Table {
  const [view, setView] = useState<View | null>(null);
  const [busy, setBusy] = useState(false);
  const [lost, setLost] = useState("");
  const [refused, setRefused] = useState("");
  const { onBoard, follow, still, setSaid } = useTurns();
  const number = useRef(0); // of the last question: what was asked before is forgotten

  /** take shows a view, and goes on as long as players move by themselves. */
  async function take(v: View, from: number, current: () => boolean) {
    for (;;) {
      keep(v.game);
      setView(v);
      await follow(v, from, current);
      if (!current() || !v.more) return;
      from = v.turns.length;
      v = await reach(() => api.play("go", { game: v.game }), current);
      if (!current()) return;
    }
  }

  const reach = <T>(ask: () => Promise<T>, current: () => boolean) =>
    api.patient(ask, (error) => current() && setLost(error ? error.message : ""), () => !current());

  /** run asks for a view and shows it; what was asked before is dropped. */
  async function run(ask: () => Promise<View>, from: (v: View) => number) {
    const mine = ++number.current;
    const current = () => mine === number.current;
    setBusy(true);
    setRefused("");
    still();
    try {
      const v = await reach(ask, current);
      if (current()) await take(v, from(v), current);
    } catch (error) {
      if (current()) setRefused((error as Error).message);
    }
    if (!current()) return;
    setBusy(false);
    still();
  }

  const table: Table = {
    ...onBoard, view, busy, lost, refused,
    ask: (verb, question = {}) => {
      if (verb === "undo") setSaid("Taken back.");
      const from = verb === "move" || verb === "redo" || verb === "go" ? (view?.turns.length ?? 0) : Infinity;
      run(() => api.play(verb, { game: view!.game, ...question }), (v) => Math.min(from, v.turns.length));
    },
    begin: (setup) => {
      setSaid(setup.dark === firstOpponent || setup.light === firstOpponent ? "A new game. The button for a new game takes another level, too." : "A new game.");
      const seed = Math.floor(Math.random() * 1e9); // of a size that people can type
      run(() => api.play("new", { ...setup, seed }), () => 0);
    },
    open: (game) => {
      setSaid("");
      run(() => api.play("show", { game }), (v) => v.turns.length);
    },
  };

  useLayoutEffect(() => {
    const game = linked() || read("game");
    if (game) table.open(game);
    else table.begin(firstGame);
  }, []);
  useEvent(window, "hashchange", () => {
    const game = linked();
    if (game && game !== view?.game) table.open(game);
  });
  return table;
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

let audio: AudioContext | undefined;

function tone(hertz: number, seconds: number, delay = 0): void {
  audio ??= new AudioContext();
  const at = audio.currentTime + delay;
  const source = audio.createOscillator();
  const volume = audio.createGain();
  source.type = "triangle";
  source.frequency.value = hertz;
  volume.gain.setValueAtTime(0.15, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  source.connect(volume).connect(audio.destination);
  source.start(at);
  source.stop(at + seconds);
}

/** signal makes a turn heard and felt, both only if the user has switched them on. */
function signal(turn: Turn): void {
  if (turn.from < 0) return;
  if (readJSON("sound", false)) {
    tone(turn.capture ? 165 : 330, 0.12);
    if (turn.rosette) tone(660, 0.25, 0.1);
    if (turn.text.endsWith("-home")) tone(495, 0.3, 0.1);
  }
  if (readJSON("vibration", false)) navigator.vibrate?.(turn.capture ? [40, 40, 40] : 25);
}
