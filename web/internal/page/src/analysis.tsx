// The analysis: the chances over the game, the moves of a position, and the mistakes.

import { useState } from "preact/hooks";
import * as api from "./api";
import { percent, useLit } from "./board";
import { Chart, scales } from "./chart";
import { colour, forLight, lightBefore, mistakes, nameOf, points, type Rules, rulesOf, sides } from "./game";
import type { Scene } from "./scene";
import type { Analysis, AnalysisMove, AnalysisPlayer, Hints, Side, View, Why } from "./types";

const light = (m: AnalysisMove) => forLight(m.side, m.win);

export function AnalysisView({ scene, learn }: { scene: Scene; learn(mistakes: number[]): void }) {
  const { view, analysis: a, hints, at, look } = scene;
  if (view.turns.length === 0) return <p class="note">There is nothing to analyse before the first turn.</p>;
  if (scene.why) return <p class="note" role="status">{scene.why}</p>;
  const turn = a?.moves[at];
  const lessons = a ? mistakes(view, a) : [];
  return (
    <div class="analysis">
      <Lines hints={hints} likely={rulesOf(view.rules).likely} turn={turn} side={turn?.side ?? view.side} />
      {!a && <p class="note" role="status">Judging {view.turns.length} turns…</p>}
      {a && <Graph analysis={a} at={at} look={look} />}
      {lessons.length > 0 && (
        <button type="button" onClick={() => learn(lessons)}>
          Learn from {view.players.includes("human") ? "your" : "the"} mistakes ({lessons.length})
        </button>
      )}
      {a && <Marked rules={rulesOf(view.rules)} analysis={a} at={at} look={look} />}
      {a && <Summary view={view} analysis={a} look={look} />}
      {!view.rules && <Brain />}
    </div>
  );
}

/** Lines lists the moves of a position with their probabilities and how the game may go on. */
export function Lines({ hints, turn, side, likely = 2 }: { hints: Hints | null; likely?: number; turn?: AnalysisMove; side: Side }) {
  const lit = useLit();
  if (!hints) return <p class="note lines" role="status">Judging the moves…</p>;
  const sorted = [...hints.moves].sort((x, y) => y.win - x.win);
  return (
    <div class="lines">
      <p class="judge">{hints.by === "table" ? "Exact, by the complete solution" : "Estimated by the built-in net, 2 plies"}</p>
      {sorted.length === 0 && <p class="note">No move is possible: the turn passes.</p>}
      <ol>
        {sorted.map((m) => (
          <li class={turn?.move === m.text ? "played" : ""} {...lit({ side, from: m.from, to: m.to })}>
            <strong>{m.text}</strong>
            <span class="figure">{percent(m.win, 1)}</span>
            <span class={"figure mark " + m.mark}>{m.regret > 0 ? `−${points(m.regret)}` : "best"}</span>
            <span class="line">{turn?.move === m.text && "played. "}{m.line && m.line.length > 1 && "then " + m.line.slice(1).join(", ")}</span>
            {m.why && <Reasons why={m.why} />}
          </li>
        ))}
      </ol>
      {sorted.some((m) => m.line) && <p class="note">The lines assume the likeliest roll, {likely}, from here on.</p>}
    </div>
  );
}

const signed = (n: number) => (n < 0 ? `−${-n}` : `+${n}`);

/** Reasons lists the pairs of numbers in which the built-in brain's values of two moves differ. */
function Reasons({ why }: { why: Why }) {
  return (
    <details class="why">
      <summary>Why, by the brain: {signed(why.points)} over {why.over}</summary>
      <ul>{why.reasons.map((r) => <li><span class="figure">{signed(r.points)}</span> {r.pair}</li>)}</ul>
    </details>
  );
}

/** Brain shows the weights of the built-in brain. */
function Brain() {
  const [svg, setSvg] = useState("");
  const load = () => svg === "" && api.brain().then((picture) => setSvg(picture.text), () => {});
  return (
    <details class="brain" onToggle={load}>
      <summary>The brain's weights</summary>
      {svg && <img alt="The weights of the built-in brain, a cell for each pair of squares" src={"data:image/svg+xml," + encodeURIComponent(svg)} />}
    </details>
  );
}

function Marked({ rules, analysis: a, at, look }: { rules: Rules; analysis: Analysis; at: number; look(turn: number): void }) {
  const lit = useLit();
  const marked = a.moves.filter((m) => m.mark !== "").sort((x, y) => y.regret - x.regret).slice(0, 12);
  return (
    <ul class="marked">
      {marked.map((m) => (
        <li>
          <button type="button" class={"move " + m.side} aria-current={m.turn - 1 === at ? "true" : undefined} onClick={() => look(m.turn - 1)}
            {...lit(rules.spanOf(m.side, m.best))}>
            <span class="turn-number">{m.turn}</span>
            <span class="disc" aria-hidden="true" />
            <span class={"mark " + m.mark}>{m.mark}</span>
            <span>{m.move}, better {m.best}</span>
            <span class="figure">−{points(m.regret)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const figures: [string, (p: AnalysisPlayer) => string | number][] = [
  ["best moves", (p) => (p.decisions ? percent(p.optimal) : "–")],
  ["points lost a move", (p) => p.regret.toFixed(2)],
  ["luck, in points", (p) => `${p.luck >= 0 ? "+" : "−"}${Math.abs(100 * p.luck).toFixed(0)}`],
  ["result without luck", (p) => percent(Math.min(1, Math.max(0, p.adjusted)))],
  ["inaccuracies", (p) => p.inaccuracies],
  ["mistakes", (p) => p.mistakes],
  ["blunders", (p) => p.blunders],
];

function Summary({ view, analysis: a, look }: { view: View; analysis: Analysis; look(turn: number): void }) {
  return (
    <div>
      <table>
        <caption class="hidden">Summary of each player</caption>
        <thead>
          <tr><td />{sides.map((side) => <th scope="col">{nameOf(view, side)}</th>)}</tr>
        </thead>
        <tbody>
          {figures.map(([name, value]) => <tr><th scope="row">{name}</th>{a.players.map((p) => <td>{value(p)}</td>)}</tr>)}
        </tbody>
      </table>
      {a.turning.length > 0 && (
        <p class="turning">
          Turning points: {[...a.turning].sort((x, y) => x - y).map((t) => <button type="button" onClick={() => look(t - 1)}>turn {t}</button>)}
        </p>
      )}
    </div>
  );
}

export function EvalBar({ value, bottom }: { value: number; bottom: Side }) {
  const now = Math.round(100 * value);
  const leader: Side = value >= 0.5 ? "light" : "dark";
  return (
    <div class={"eval " + bottom + (leader === bottom ? " ahead" : "")} style={{ "--share": `${now}%` }} role="meter"
      aria-label="Probability that Light wins" aria-valuemin={0} aria-valuemax={100} aria-valuenow={now}>
      <span class={leader}>{leader === "light" ? now : 100 - now}%</span>
    </div>
  );
}

const width = 360;

/** Graph draws the probability that Light wins; a click on it shows the board of that turn. */
function Graph({ analysis: a, at: turn, look }: { analysis: Analysis; at: number; look(turn: number): void }) {
  const x: [number, number] = [0, Math.max(1, a.moves.length)];
  const y: [number, number] = [0, 1];
  const at = scales(width, x, y);
  const points = [{ x: 0, y: a.moves.length ? lightBefore(a.moves[0]) : 0.5 }];
  for (const m of a.moves) points.push({ x: m.turn, y: light(m) });
  const clicked = (e: MouseEvent) => {
    const box = (e.currentTarget as SVGElement).getBoundingClientRect();
    const part = ((e.clientX - box.left) / box.width) * width;
    const turn = Math.round(((part - at.x(0)) / (at.x(x[1]) - at.x(0))) * x[1]);
    look(Math.min(a.moves.length, Math.max(0, turn)));
  };
  return (
    <div class="graph" onClick={clicked as never}>
      <Chart label={`Probability that ${colour("light")} wins over ${a.moves.length} turns, at the end ${Math.round(100 * points[points.length - 1].y)}%`}
        points={points} width={width} x={x} y={y} format={(v) => `${Math.round(100 * v)}%`} rule={0.5}>
        <line class="cursor" x1={at.x(turn)} x2={at.x(turn)} y1={at.y(0)} y2={at.y(1)} />
        {a.moves.filter((m) => m.mark === "mistake" || m.mark === "blunder").map((m) => (
          <circle class={"spot " + m.mark} cx={at.x(m.turn)} cy={at.y(light(m))} r={m.mark === "blunder" ? 6 : 4.5}>
            <title>{`turn ${m.turn}: ${m.mark}`}</title>
          </circle>
        ))}
      </Chart>
    </div>
  );
}
