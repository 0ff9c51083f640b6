// Charts: lines with bands over an axis of numbers.

import { h, type ComponentChildren } from "preact";

export interface Point {
  x: number;
  y: number;
  lo?: number;
  hi?: number;
}

interface Props {
  label: string; // a description, for readers who cannot see it
  lines: { name: string; points: Point[] }[];
  width: number; // of the drawing, whose letters have 12 units
  x: [number, number];
  y: [number, number];
  format(y: number): string;
  whole?: boolean; // only whole numbers stand at the vertical axis
  rule?: number; // a line across
  children?: ComponentChildren;
}

const height = 220;
const left = 42;
const bottom = 24;
const top = 10;
const right = 8;

const phone = matchMedia("(max-width: 640px)");

/** wide is the width of a chart that has the page for itself. */
export const wide = () => (phone.matches ? 360 : 1100);

/** ticks returns the round numbers between two, about n of them: multiples of 1, 2 or 5 times a
 * power of ten, not smaller than a least step. */
export function ticks([from, to]: [number, number], n: number, least = 0): number[] {
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

export function Chart(p: Props) {
  const { width } = p;
  const at = scales(width, p.x, p.y);
  const ys = ticks(p.y, 5, p.whole ? 1 : 0);
  const xs = ticks(p.x, width > 500 ? 8 : 4, 1);
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={p.label}>
      {ys.map((y) => (
        <g>
          <line class="grid" x1={left} x2={width - right} y1={at.y(y)} y2={at.y(y)} />
          <text x={left - 6} y={at.y(y)} dy="0.35em" text-anchor="end">{p.format(y)}</text>
        </g>
      ))}
      {xs.map((x) => (
        <text x={at.x(x)} y={height - 6} text-anchor={x === p.x[0] ? "start" : at.x(x) > width - 40 ? "end" : "middle"}>{x.toLocaleString("en")}</text>
      ))}
      {p.rule !== undefined && <line class="rule" x1={left} x2={width - right} y1={at.y(p.rule)} y2={at.y(p.rule)} />}
      {p.lines.map((line, i) => (
        <g class={`series series-${i % 4}`}>
          {line.points.length > 1 && line.points.every((q) => q.lo !== undefined) && <path class="band" d={band(line.points, at)} />}
          <polyline points={line.points.map((q) => `${at.x(q.x)},${at.y(clamp(q.y, p.y))}`).join(" ")} />
        </g>
      ))}
      {p.children}
    </svg>
  );
}

const clamp = (v: number, [lo, hi]: [number, number]) => Math.min(hi, Math.max(lo, v));

function band(points: Point[], at: ReturnType<typeof scales>): string {
  const up = points.map((q) => `${at.x(q.x)} ${at.y(q.hi!)}`);
  const down = [...points].reverse().map((q) => `${at.x(q.x)} ${at.y(q.lo!)}`);
  return `M${[...up, ...down].join("L")}z`;
}
