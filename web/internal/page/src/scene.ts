// What the page shows of a game: the turn that is looked at, the answers of the judge, and the
// panel beside the board, which is loaded behind it.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { branch } from "./game";
import { usePhone } from "./layout";
import { type Settings, useSettings } from "./settings";
import { type Table, useAnswer } from "./table";
import type { About, Analysis, Hints, Side, View } from "./types";

export type Panel = "moves" | "analysis" | "link" | "share" | "settings" | "new";

/** Link is what a game by a link adds to the table. */
export interface Link {
  playing: boolean; // this browser has a seat, and the game goes on
  waits: string; // for what the game waits, or ""
  seat(side: Side): string; // a note on a player
  alert: ComponentChildren;
  actions: ComponentChildren;
  panel: ComponentChildren;
}

export interface Game {
  table: Table;
  about: About | null;
  link?: Link;
}

/** Scene is what the page shows of a game. */
export interface Scene extends Game {
  view: View;
  settings: Settings;
  phone: boolean;
  panel: Panel | null; // null for none
  setPanel(panel: Panel | null): void;
  rest: Rest | null;
  over: boolean;
  helped: boolean; // there are hints, as not in a game between two people
  analysing: boolean;
  turns: number; // of the game
  past: number | null; // the turn that is looked at, from 0; null for the present
  at: number; // turns on the board
  live: boolean; // the board shows the present
  stepping: boolean; // the arrow keys step through the turns
  hints: Hints | null; // on the shown position
  why: string; // the reason why there are none, or ""
  analysis: Analysis | null;
  look(turn: number): void;
  open(game: string, turn: number): void; // opens a game at a turn
}

/** useScene returns what the page shows of a game, whose view may be missing still. */
export function useScene({ table, about, link }: Game): Omit<Scene, "view"> & { view: View | null } {
  const { view } = table;
  const phone = usePhone();
  const settings = useSettings();
  const [chosen, setPanel] = useState<Panel | null>(null);
  const panel = chosen ?? (phone ? null : link ? "link" : "moves");
  const [chosenTurn, setPast] = useState<number | null>(null);
  const target = useRef<number | null>(null); // the turn to look at in a game that is being opened
  const rest = useRest(settings.hints || (panel !== null && panel !== "moves" && panel !== "link"));
  const turns = view?.turns.length ?? 0;
  const past = chosenTurn !== null && chosenTurn < turns ? chosenTurn : null;
  const over = view !== null && view.result !== "unfinished";
  const helped = !link || over;
  const analysing = panel === "analysis";
  const live = past === null && !table.busy && view !== null && table.shown === turns;
  const judged = (live && (settings.hints || settings.tutor > 0) && view.moves.length > 0) || (analysing && !table.busy);
  const shownGame = view && (past === null ? view.game : branch(view.game, past));
  const { answer: hints, why } = useAnswer(shownGame, judged && helped, api.hints);
  const { answer: analysis } = useAnswer(view && turns > 0 ? view.game : null, analysing, api.analysis);
  useLayoutEffect(() => {
    setPast(target.current);
    target.current = null;
  }, [view?.game]);
  useLayoutEffect(() => {
    if (over && !table.busy) setPanel((now) => (now === "new" || link ? now : "analysis"));
  }, [view?.result, table.busy]);
  return {
    table, about, link, view, settings, phone, panel, setPanel, rest, over, helped, analysing, turns, past, at: past ?? table.shown, live,
    stepping: analysing || past !== null, hints, why, analysis,
    look: (turn) => setPast(turn >= turns ? null : Math.max(0, turn)),
    open: (game, turn) => {
      target.current = turn;
      table.open(game);
    },
  };
}

type Rest = typeof import("./rest");

let loaded: Rest | null = null;

export const load = async (): Promise<Rest> => (loaded ??= await import("./rest"));

/** useRest returns the rest of the page once it is wanted and loaded. It tries until it is. */
export function useRest(wanted: boolean): Rest | null {
  const [rest, setRest] = useState(loaded);
  useEffect(() => {
    if (!wanted || rest) return;
    let timer: ReturnType<typeof setTimeout>;
    const attempt = () => load().then(setRest, () => (timer = setTimeout(attempt, 1000)));
    void attempt();
    return () => clearTimeout(timer);
  }, [wanted, rest]);
  return rest;
}
