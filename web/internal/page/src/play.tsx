// The table: the board, the players, the actions, and the panels beside it. It is the same for
// games against programs and for games by a link.

import { useLayoutEffect, useState } from "preact/hooks";
import { type Arrow, Board, Lit } from "./board";
import { Actions, Stepper } from "./controls";
import { Dice } from "./pieces";
import { after, forLight, isPerson, lightBefore, other, type Rules, rulesOf, type Span, winnerOf } from "./game";
import { useHistory } from "./history";
import { focusForm, useKeys } from "./layout";
import { Panels } from "./panels";
import { type Game, type Scene, useScene } from "./scene";
import { Notes, Seat, Status, useQuestions, Waiting } from "./status";
import type { Table } from "./table";
import type { Side, View } from "./types";

export function Play(game: Game) {
  const scene = useScene(game);
  const { table, link, view, settings, panel, setPanel, rest, past, turns, hints, analysis } = scene;
  const { asked, move, resign } = useQuestions(table, scene.helped ? settings.tutor : 0, hints);
  const [lesson, setLesson] = useState<number[] | null>(null);
  const [lit, setLit] = useState<Span | null>(null);
  const fresh = () => {
    setPanel("new");
    focusForm(); // of the form that is open already; a new one takes the focus itself
  };
  useFocus(table);
  useGameKeys(scene, fresh);
  useLayoutEffect(() => setLit(null), [view?.game, past, panel]);
  useHistory(view, table.busy, analysis, link !== undefined);

  if (!view) return <Waiting table={table} />;
  if (lesson && rest) return <rest.Lesson view={view} analysis={analysis!} turns={lesson} close={() => setLesson(null)} />;
  const shown: Scene = { ...scene, view };
  const alone: Side = view.you ?? (!isPerson(view, "light") && isPerson(view, "dark") ? "dark" : "light");
  const bottom = settings.flip ? other(alone) : alone;
  const roll = table.moving?.roll ?? view.turns[scene.at]?.roll ?? view.roll;
  const seat = (side: Side) => <Seat view={view} side={side} table={table} note={link?.seat(side)} title={side === bottom ? undefined : rulesOf(view.rules).set.title} />;
  return (
    <Lit.Provider value={setLit}>
      <div class={"play" + (link ? " friend" : "")} data-panel={panel ?? ""} data-turns={turns}>
        <section class="table" aria-label="The game">
          {seat(other(bottom))}
          <Position scene={shown} bottom={bottom} lit={lit} choose={move} />
          {seat(bottom)}
          <div class="tray">
            <Dice roll={roll} tumbling={table.tumbling} weights={view.rules?.dice} />
            <Status view={view} table={table} past={past} waits={link?.waits ?? ""} />
          </div>
          {scene.stepping && <Stepper scene={shown} />}
          <Notes scene={shown} asked={asked} />
          <Actions scene={shown} fresh={fresh} resign={resign} />
        </section>
        {panel !== null && <Panels scene={shown} learn={setLesson} />}
      </div>
    </Lit.Provider>
  );
}

/** Position is the board at the turn that is looked at. */
function Position({ scene, bottom, lit, choose }: { scene: Scene; bottom: Side; lit: Span | null; choose(from: number): void }) {
  const { view, table, link, settings, past, at, live, hints, rest } = scene;
  const rules = rulesOf(view.rules);
  const turn = view.turns[at];
  const last = past === null ? view.turns[at - 1] : undefined;
  return (
    <div class="boards">
      {scene.analysing && rest && <rest.EvalBar value={evaluation(scene)} bottom={bottom} />}
      <Board rules={rules} counts={after(view, at)} bottom={bottom} upright={scene.phone && scene.panel === null} paths={settings.paths} numbers={settings.numbers}
        side={turn?.side ?? view.side} moves={live && !link?.waits ? view.moves : []} hints={live && settings.hints ? (hints?.moves ?? []) : []}
        last={last && last.from >= 0 ? last : undefined} lit={lit} arrows={past === null ? [] : arrows(rules, view, past, scene.analysis?.moves[past]?.best)}
        stepping={scene.stepping} moving={past === null ? table.moving : undefined} moved={table.moved} choose={choose} />
    </div>
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
function evaluation({ view, at, turns, live, analysis, hints, over }: Scene): number {
  const winner = winnerOf(view);
  if (at === turns && winner) return forLight(winner, 1);
  const [next, last] = [analysis?.moves[at], analysis?.moves[at - 1]];
  if (next) return lightBefore(next);
  if (hints && live && !over) return forLight(view.side, hints.before);
  return last ? forLight(last.side, last.win) : 0.5;
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

/** useGameKeys plays the game by single keys; see the page of the rules. The board itself takes
 * the keys of its pieces. */
function useGameKeys({ table, settings, stepping, past, turns, look }: Omit<Scene, "view">, fresh: () => void): void {
  const step = (by: number) => () => look((past ?? turns) + by);
  const does: Record<string, () => void> = {
    u: () => table.view?.undo && !table.busy && table.ask("undo"),
    r: () => table.view?.redo && !table.busy && table.ask("redo"),
    h: () => settings.set("hints", !settings.hints),
    p: () => settings.set("paths", !settings.paths),
    f: () => settings.set("flip", !settings.flip),
    n: fresh,
    ...(stepping && {
      ArrowRight: step(1), ArrowDown: step(1), ArrowLeft: step(-1), ArrowUp: step(-1), Home: step(-1e6), End: step(1e6),
    }),
  };
  useKeys((key) => {
    does[key]?.();
    return key in does;
  });
}
