// The table: the board, the players, the actions, and the panels beside it. It is the same for
// games against programs and for games by a link.

import { useLayoutEffect, useState } from "preact/hooks";
import { Lit } from "./board";
import { Actions, Stepper } from "./controls";
import { Dice } from "./dice";
import { isPerson, other, rulesOf, type Span } from "./game";
import { useHistory } from "./history";
import { focusForm, useKeys } from "./layout";
import { Panels } from "./panels";
import { Position } from "./position";
import { useQuestions } from "./question";
import { type Game, type Scene, useScene } from "./scene";
import { Notes, Seat, Status, Waiting } from "./status";
import type { Table } from "./table";
import type { Side } from "./types";

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
