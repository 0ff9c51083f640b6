// The position that is looked at, on the board.

import { type Arrow, Board } from "./board";
import { after, forLight, lightBefore, type Rules, rulesOf, type Span, winnerOf } from "./game";
import type { Scene } from "./scene";
import type { Side, View } from "./types";

interface Props {
  scene: Scene;
  bottom: Side;
  lit: Span | null;
  choose(from: number): void;
}

export function Position({ scene, bottom, lit, choose }: Props) {
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
function evaluation({ view, past, analysis, hints, over }: Scene): number {
  const winner = winnerOf(view);
  if (past === null && winner) return forLight(winner, 1);
  if (past !== null && analysis?.moves[past]) return lightBefore(analysis.moves[past]);
  if (hints && past === null && !over) return forLight(view.side, hints.before);
  const last = analysis?.moves[analysis.moves.length - 1];
  return last ? forLight(last.side, last.win) : 0.5;
}
