// What the page shows of a game: the turn that is looked at, the answers of the judge, and the
// panel beside the board.

import type { ComponentChildren, ComponentType } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { branch } from "./game";
import { usePhone } from "./layout";
import { useSettings } from "./settings";
import { type GameSetup, type Table, useAnswer } from "./table";
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

/** Rest holds the parts beside the board that a first visit does not show; see rest.ts. */
export interface Rest {
  AnalysisView: ComponentType<{ scene: Scene; learn(mistakes: number[]): void }>;
  EvalBar: ComponentType<{ value: number; bottom: Side }>;
  Lesson: ComponentType<{ view: View; analysis: Analysis; turns: number[]; close(): void }>;
  Lines: ComponentType<{ hints: Hints | null; likely?: number; side: Side }>;
  NewGame: ComponentType<{ about: About | null; begin(setup: GameSetup): void }>;
  ShareBox: ComponentType<{ view: View; about: About | null; open(game: string): void }>;
}

export interface Game {
  table: Table;
  about: About | null;
  rest: Rest | null; // null while it is loaded
  link?: Link;
}

/** Scene is what the page shows of a game. */
export type Scene = ReturnType<typeof useScene> & { view: View };

/** useScene returns the scene of a game, whose view may be missing still. */
export function useScene({ table, about, rest, link }: Game) {
  const { view } = table;
  const phone = usePhone();
  const settings = useSettings();
  const [chosen, setPanel] = useState<Panel | null>(null);
  const panel: Panel | null = chosen ?? (phone ? null : link ? "link" : "moves"); // null for none
  const [chosenTurn, setPast] = useState<number | null>(null);
  const target = useRef<number | null>(null); // the turn to look at in a game that is being opened
  const turns = view?.turns.length ?? 0;
  const past = chosenTurn !== null && chosenTurn < turns ? chosenTurn : null; // turn that is looked at, from 0, or null for the present
  const over = view !== null && view.result !== "unfinished";
  const helped = !link || over; // there are hints, as not in a game between two people
  const analysing = panel === "analysis";
  const live = past === null && !table.busy && view !== null && table.shown === turns; // the board shows the present
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
    table, about, link, view, settings, phone, panel, setPanel, rest, over, helped, analysing, turns, past, live, hints, why, analysis,
    at: past ?? table.shown, // turns on the board
    stepping: analysing || past !== null, // the arrow keys step through the turns
    hinted: live && settings.hints && !analysing && (hints?.moves.length ?? 0) > 0, // hints are shown beside the board
    look: (turn: number) => setPast(turn >= turns ? null : Math.max(0, turn)),
    open: (game: string, turn: number) => { // opens a game at a turn
      target.current = turn;
      table.open(game);
    },
  };
}
