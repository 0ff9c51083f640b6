// Charts: a line over an axis of numbers.

import type { ComponentChildren } from "preact";
import { phone } from "./layout";

interface Props {
  label: string; // a description, for readers who cannot see it
  points: { x: number; y: number }[];
  width: number; // of the drawing, whose letters have 12 units
  x: [number, number];
  y: [number, number];
  format(y: number): string;
  rule?: number; // a line across
  children?: ComponentChildren;
}

const height = 220;
const left = 42;
const bottom = 24;
const top = 10;
const right = 8;

/** wide is the width of a chart that has the page for itself. */
export const wide = () => (phone.matches ? 360 : 1100);

/** ticks returns the round numbers between two, about n of them: multiples of 1, 2 or 5 times a
 * power of ten, not smaller than a least step. */
function ticks([from, to]: [number, number], n: number, least = 0): number[] {
  const rough = Math.max((to - from) / n, 1e-12);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(least, power * [1, 2, 5, 10].find((m) => m * power >= rough * 0.999)!);
  const list = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) list.push(Number((i * step).toPrecision(12)));
  return list;
}

/** scales returns where numbers are drawn. */
export function scales(width: number, x: [number, number], y: [number, number]) {
  const part = (v: number, [a, b]: [number, number]) => (v - a) / (b - a || 1);
  return {
    x: (v: number) => left + part(v, x) * (width - left - right),
    y: (v: number) => height - bottom - part(v, y) * (height - bottom - top),
  };
}

export function Chart({ width, x, y, points, ...p }: Props) {
  const at = scales(width, x, y);
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={p.label}>
      {ticks(y, 5).map((v) => (
        <g>
          <line class="grid" x1={left} x2={width - right} y1={at.y(v)} y2={at.y(v)} />
          <text x={left - 6} y={at.y(v)} dy="0.35em" text-anchor="end">{p.format(v)}</text>
        </g>
      ))}
      {ticks(x, width > 500 ? 8 : 4, 1).map((v) => (
        <text x={at.x(v)} y={height - 6} text-anchor={v === x[0] ? "start" : at.x(v) > width - 40 ? "end" : "middle"}>{v.toLocaleString("en")}</text>
      ))}
      {p.rule !== undefined && <line class="rule" x1={left} x2={width - right} y1={at.y(p.rule)} y2={at.y(p.rule)} />}
      <polyline points={points.map((q) => `${at.x(q.x)},${at.y(Math.min(y[1], Math.max(y[0], q.y)))}`).join(" ")} />
      {p.children}
    </svg>
  );
}
