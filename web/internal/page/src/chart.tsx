// Charts: lines with bands over an axis of numbers.

import { h, type ComponentChildren } from "preact";

export interface Point {
  x: number;
  y: number;
  lo?: number;
  hi?: number;
}

interface Props {
  label: string; // what it shows, for those who do not see it
  lines: { name: string; points: Point[] }[];
  width: number; // of the drawing, whose letters have 12 units
  x: [number, number];
  y: [number, number];
  format(y: number): string;
  formatX?(x: number): string;
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
export const wide = () => (phone.matches ? 360 : 760);

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
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((t) => p.y[0] + t * (p.y[1] - p.y[0]));
  const xs = [0, 0.5, 1].map((t) => p.x[0] + t * (p.x[1] - p.x[0]));
  const formatX = p.formatX ?? ((n: number) => Math.round(n).toLocaleString("en"));
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={p.label}>
      {ticks.map((y) => (
        <g>
          <line class="grid" x1={left} x2={width - right} y1={at.y(y)} y2={at.y(y)} />
          <text x={left - 6} y={at.y(y)} dy="0.35em" text-anchor="end">{p.format(y)}</text>
        </g>
      ))}
      {xs.map((x, i) => (
        <text x={at.x(x)} y={height - 6} text-anchor={["start", "middle", "end"][i]}>{formatX(x)}</text>
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
