// A game at the table: it asks the engine, shows one turn after another, and keeps the game
// in the address of the page, so that whoever has the address has the game.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { inWords, newSeed, playerName } from "./game";
import type { Turn, View } from "./types";

/** Table is what the page knows of the game. */
export interface Table {
  view: View | null;
  shown: number; // turns that are on the board
  moving?: Turn; // the turn that is being made
  tumbling: boolean; // the dice are
  busy: boolean; // the engine is asked
  lost: string; // why it does not answer, or ""
  refused: string; // what it did not like, or ""
  said: string; // what happened last, in words
  moved(): void;
  ask(verb: string, question?: api.Question): void;
  begin(light: string, dark: string, pieces: number): void;
  open(game: string): void;
}

const kept = "ur.game";
const tumble = 420; // ms
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, isCalm() ? 0 : ms));

/** linked returns the game in the address, if there is one. */
export const linked = () => /^#\/g\/(.+)$/.exec(location.hash)?.[1] ?? "";

/** lastGame returns the game that was played here last. */
function lastGame(): string {
  try {
    return localStorage.getItem(kept) ?? "";
  } catch {
    return ""; // the browser keeps nothing
  }
}

/** keep puts a game into the address. */
function keep(game: string): void {
  if (linked() !== game) history.replaceState(null, "", "#/g/" + game);
  try {
    localStorage.setItem(kept, game);
  } catch {
    // The address alone keeps it.
  }
}

export function useTable(): Table {
  const [view, setView] = useState<View | null>(null);
  const [shown, setShown] = useState(0);
  const [moving, setMoving] = useState<Turn | undefined>();
  const [tumbling, setTumbling] = useState(false);
  const [busy, setBusy] = useState(false);
  const [lost, setLost] = useState("");
  const [refused, setRefused] = useState("");
  const [said, setSaid] = useState("");
  const number = useRef(0); // of the last question: what was asked before is forgotten
  const arrived = useRef<() => void>(() => {});

  /** follow shows the turns that are not on the board yet, one after another. */
  async function follow(v: View, from: number, current: () => boolean) {
    const words: string[] = [];
    for (let i = from; i < v.turns.length && current(); i++) {
      const turn = v.turns[i];
      const byPerson = v.players[turn.side === "light" ? 0 : 1] === "human";
      if (!byPerson || turn.from < 0) {
        setTumbling(true);
        await pause(tumble);
        setTumbling(false);
      }
      words.push(inWords(turn, nameOf(v, turn)));
      setSaid(words.join(". "));
      if (turn.from < 0) await pause(700);
      else await new Promise<void>((resolve) => ((arrived.current = resolve), setMoving(turn)));
      if (!current()) return;
      setMoving(undefined);
      setShown(i + 1);
    }
  }

  /** take shows a view, and goes on as long as players move by themselves. */
  async function take(v: View, from: number, current: () => boolean) {
    for (;;) {
      keep(v.game);
      setView(v);
      setShown(Math.min(from, v.turns.length));
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
    setMoving(undefined);
    setTumbling(false);
    try {
      const v = await reach(ask, current);
      if (current()) await take(v, from(v), current);
    } catch (error) {
      if (current()) setRefused((error as Error).message);
    }
    if (current()) {
      setBusy(false);
      setMoving(undefined);
    }
  }

  const before = () => view?.turns.length ?? 0;
  const table: Table = {
    view, shown, moving, tumbling, busy, lost, refused, said,
    moved: () => arrived.current(),
    ask: (verb, question = {}) => {
      if (verb === "undo") setSaid("Taken back.");
      const from = verb === "move" || verb === "redo" || verb === "go" ? before() : Infinity;
      run(() => api.play(verb, { game: view!.game, ...question }), (v) => Math.min(from, v.turns.length));
    },
    begin: (light, dark, pieces) => {
      setSaid("A new game.");
      run(() => api.play("new", { light, dark, pieces, seed: newSeed() }), () => 0);
    },
    open: (game) => run(() => api.play("show", { game }), (v) => v.turns.length),
  };

  useLayoutEffect(() => {
    const game = linked() || lastGame();
    if (game) table.open(game);
    else table.begin("human", "level:4", 7);
  }, []);
  const drawn = useRef({ view, table });
  drawn.current = { view, table };
  useLayoutEffect(() => {
    const changed = () => {
      const game = linked();
      if (game && game !== drawn.current.view?.game) drawn.current.table.open(game);
    };
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return table;
}

const nameOf = (v: View, turn: Turn) => {
  const name = playerName(v.players[turn.side === "light" ? 0 : 1]);
  return v.players[0] === v.players[1] ? `${name} (${turn.side})` : name;
};
