// Where a game was won and lost: the chances over the game, and what each player gave away.

import { h } from "preact";
import { Chart, scales } from "./chart";
import { playerName } from "./game";
import type { Analysis, AnalysisMove, View } from "./types";

interface Props {
  view: View;
  analysis: Analysis | null;
  shown: number;
  look(turn: number): void;
}

const light = (m: AnalysisMove) => (m.side === "light" ? m.win : 1 - m.win);
const words: Record<string, string> = { inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder" };

export function AnalysisView({ view, analysis: a, shown, look }: Props) {
  if (view.turns.length === 0) return <p class="note">There is nothing to analyse yet.</p>;
  if (!a) return <p class="note" role="status">Judging {view.turns.length} turns…</p>;
  const marked = a.moves.filter((m) => m.mark !== "").sort((x, y) => y.regret - x.regret).slice(0, 12);
  return (
    <div class="analysis">
      <Graph analysis={a} shown={shown} look={look} />
      <p class="note">
        The chances of Light after every turn, by {a.by === "table" ? "the exact solution" : "a search with the built-in net"}. Marked are
        what gave away 3 points or more.
      </p>
      <table>
        <caption class="hidden">What each player did</caption>
        <thead>
          <tr><td />{a.players.map((p, i) => <th scope="col">{names(view)[i]}</th>)}</tr>
        </thead>
        <tbody>
          <Row name="best moves" of={a} value={(p) => (p.decisions ? `${(100 * p.optimal).toFixed(0)}%` : "–")} />
          <Row name="points given away a move" of={a} value={(p) => `${p.regret.toFixed(2)}`} />
          <Row name="luck, in points" of={a} value={(p) => `${p.luck >= 0 ? "+" : "−"}${Math.abs(100 * p.luck).toFixed(0)}`} />
          <Row name="result without luck" of={a} value={(p) => `${(100 * p.adjusted).toFixed(0)}%`} />
          <Row name="inaccuracies" of={a} value={(p) => p.inaccuracies} />
          <Row name="mistakes" of={a} value={(p) => p.mistakes} />
          <Row name="blunders" of={a} value={(p) => p.blunders} />
        </tbody>
      </table>
      {a.turning.length > 0 && (
        <p class="turning">
          Turning points:{" "}
          {a.turning.map((t) => <button type="button" onClick={() => look(t)}>turn {t}</button>)}
        </p>
      )}
      <ul class="marked">
        {marked.map((m) => (
          <li>
            <button type="button" class={"move " + m.side} onClick={() => look(m.turn)}>
              <span class="turn-number">{m.turn}</span>
              <span class="disc" aria-hidden="true" />
              <span class={"mark " + m.mark}>{words[m.mark]}</span>
              <span>{m.move}, better {m.best}</span>
              <span class="figure">−{(100 * m.regret).toFixed(1)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const names = (view: View) => view.players.map((p, i) => (view.players[0] === view.players[1] ? ["Light", "Dark"][i] : playerName(p)));

function Row({ name, of, value }: { name: string; of: Analysis; value(p: Analysis["players"][0]): string | number }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {of.players.map((p) => <td>{value(p)}</td>)}
    </tr>
  );
}

const width = 360;

/** Graph draws the chances of Light; a click on it shows the board of that turn. */
function Graph({ analysis: a, shown, look }: { analysis: Analysis; shown: number; look(turn: number): void }) {
  const x: [number, number] = [0, Math.max(1, a.moves.length)];
  const y: [number, number] = [0, 1];
  const at = scales(width, x, y);
  const points = [{ x: 0, y: a.moves.length ? (a.moves[0].side === "light" ? a.moves[0].win_before : 1 - a.moves[0].win_before) : 0.5 }];
  for (const m of a.moves) points.push({ x: m.turn, y: light(m) });
  const clicked = (e: MouseEvent) => {
    const box = (e.currentTarget as SVGElement).getBoundingClientRect();
    const part = ((e.clientX - box.left) / box.width) * width;
    const turn = Math.round(((part - at.x(0)) / (at.x(x[1]) - at.x(0))) * x[1]);
    look(Math.min(a.moves.length, Math.max(0, turn)));
  };
  return (
    <div class="graph" onClick={clicked as never}>
      <Chart label={`The chances of Light over ${a.moves.length} turns, at the end ${Math.round(100 * points[points.length - 1].y)}%`}
        lines={[{ name: "Light", points }]} width={width} x={x} y={y} format={(v) => `${Math.round(100 * v)}%`} rule={0.5}>
        <line class="cursor" x1={at.x(shown)} x2={at.x(shown)} y1={at.y(0)} y2={at.y(1)} />
        {a.moves.filter((m) => m.mark === "mistake" || m.mark === "blunder").map((m) => (
          <circle class={"spot " + m.mark} cx={at.x(m.turn)} cy={at.y(light(m))} r={m.mark === "blunder" ? 6 : 4.5}>
            <title>{`turn ${m.turn}: ${m.mark}`}</title>
          </circle>
        ))}
      </Chart>
    </div>
  );
}
