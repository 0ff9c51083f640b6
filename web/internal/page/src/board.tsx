// The board: tiles and pieces as a drawing, and above it a button for each legal move.

import { type ComponentChildren, createContext } from "preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Cell, type Counts, finkel, gains, HAND, type Rules, sides, type Span, tile } from "./game";
import { Piece, Pile, Rosette, Sign } from "./pieces";
import { calm, useKeys } from "./layout";
import type { Hint, Move, Side, Turn } from "./types";

export interface BoardProps {
  rules?: Rules; // Finkel's if left out
  counts: Counts;
  bottom: Side; // who sits at the bottom, or on the left where the board stands
  upright: boolean;
  paths?: boolean;
  numbers?: boolean; // of the squares of each path
  side: Side; // to move
  moves: Move[]; // that can be chosen
  hints?: Hint[];
  arrows?: Arrow[];
  lit?: Span | null; // a move whose squares are lit
  stepping?: boolean; // the arrow keys do not go from piece to piece
  last?: Span; // the turn before
  moving?: Turn; // a turn that is being made
  moved?(): void; // is called when it has been
  choose?(from: number): void;
  over?(style: (c: Cell) => Record<string, string>): ComponentChildren; // more elements on the cells
}

export type Arrow = Span & { kind: "played" | "best" };

/** Lit shows the squares of a move on the nearest board, or none. */
export const Lit = createContext<(span: Span | null) => void>(() => {});

/** pointing returns the handlers of an element that is pointed at, or has the focus, and no longer. */
const pointing = (on: () => void, off: () => void) =>
  ({ onMouseEnter: on, onMouseLeave: off, onFocus: on, onBlur: off });

/** useLit returns the handlers of an element that names a move: pointing at it, or focusing it,
 * lights the squares of the move on the board. */
export function useLit() {
  const light = useContext(Lit);
  return (span: Span | null) => pointing(() => light(span), () => light(null));
}

/** The margin around the cells: the coordinates stand at the left and below. */
const margin = { left: 40, top: 14, right: 14, bottom: 40 };

/** Layout places the cells, in units of which a cell has 100. */
class Layout {
  readonly width: number;
  readonly height: number;

  constructor(readonly rules: Rules, readonly upright: boolean, private readonly bottom: Side) {
    const [length, breadth] = [100 * rules.columns, 100 * rules.rows];
    [this.width, this.height] = upright ? [breadth, length] : [length, breadth];
  }

  middle({ column, row }: Cell): { x: number; y: number } {
    const across = (this.bottom === "light") !== this.upright ? this.rules.rows - 1 - row : row;
    const [along, aside] = [100 * column - 50, 100 * across + 50];
    return this.upright ? { x: aside, y: along } : { x: along, y: aside };
  }

  /** at is the middle of a square of a side's path. */
  at = (side: Side, square: number) => this.middle(this.rules.cell(side, square));

  /** stops are the middles of the squares of a move. */
  stops = ({ side, from, to }: Span) => Array.from({ length: to - from + 1 }, (_, i) => this.at(side, from + i));
}

const translate = ({ x, y }: { x: number; y: number }) => `translate(${x} ${y})`;

const line = (points: { x: number; y: number }[]) => points.map(({ x, y }) => `${x},${y}`).join(" ");

export function Board(p: BoardProps) {
  const [active, setActive] = useState<number | null>(null);
  const rules = p.rules ?? finkel;
  const l = new Layout(rules, p.upright, p.bottom);
  const chosen = p.moves.find((m) => m.from === active);
  const choose = p.choose ?? (() => {});
  useChoiceKeys(p.choose ? p.moves : [], choose, p.stepping ?? false);
  const walk = p.lit ?? (chosen ? { side: p.side, ...chosen } : null);
  const width = l.width + margin.left + margin.right;
  const height = l.height + margin.top + margin.bottom;
  /** style is the place of a cell for an element of 94 units. */
  const style = (c: Cell) => {
    const { x, y } = l.middle(c);
    return {
      left: percent((x + margin.left) / width, 4), top: percent((y + margin.top) / height, 4),
      width: percent(94 / width, 4), height: percent(94 / height, 4),
    };
  };
  return (
    <div class={"board" + (p.upright ? " upright" : "")} style={{ "--ratio": width / height }}>
      <svg viewBox={`${-margin.left} ${-margin.top} ${width} ${height}`} role="img" aria-label={describe(rules, p.counts)}>
        <Tiles layout={l} last={p.last} />
        <Coordinates layout={l} />
        {p.paths && sides.map((side) => <Path side={side} layout={l} />)}
        {p.numbers && sides.map((side) => <Numbers side={side} layout={l} />)}
        {sides.map((side) => (
          <Pieces side={side} counts={hideMoving(p.counts[side], side, p.moving)} layout={l} />
        ))}
        {p.choose && p.moves.map((m) => (
          <Target move={m} side={p.side} layout={l} active={m === chosen} choose={choose} />
        ))}
        {p.arrows?.map((a) => <ArrowLine arrow={a} layout={l} />)}
        {walk && <Walk span={walk} layout={l} />}
        {p.moving && <Moving turn={p.moving} layout={l} done={p.moved!} />}
      </svg>
      {p.choose && p.moves.map((m, i) => (
        <Choice key={m.from} rules={rules} move={m} number={i + 1} side={p.side} style={style(rules.cell(p.side, m.from))} hint={p.hints?.find((x) => x.from === m.from)}
          choose={choose} activate={setActive} />
      ))}
      {p.over?.(style)}
    </div>
  );
}

/** useChoiceKeys makes the moves by their digits, wherever a board shows them, and goes from piece to
 * piece by the arrow keys. */
function useChoiceKeys(moves: Move[], choose: (from: number) => void, stepping: boolean): void {
  useKeys((key, at) => {
    const move = /^[1-9]$/.test(key) && moves[Number(key) - 1];
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
    if (move) choose(move.from);
    else if (by && !stepping && moves.length > 0 && (at === document.body || at.classList?.contains("choice"))) {
      const pieces = [...document.querySelectorAll<HTMLElement>(".choice")];
      const i = pieces.indexOf(at);
      pieces[i < 0 ? 0 : (i + by + pieces.length) % pieces.length].focus();
    } else return false;
    return true;
  });
}

function describe(rules: Rules, counts: Counts): string {
  const of = (side: Side) => {
    const on = rules.squares.filter((s) => counts[side][s] > 0).map((s) => rules.place(side, s));
    return `${side} has ${counts[side][HAND]} in hand, ${counts[side][rules.home]} home, and stands on ${on.join(", ") || "no square"}`;
  };
  return `The board: ${of("light")}; ${of("dark")}.`;
}

function hideMoving(counts: number[], side: Side, moving?: Turn): number[] {
  if (!moving || moving.side !== side || moving.from < 0) return counts;
  return counts.map((n, square) => (square === moving.from ? n - 1 : n));
}

/** Tiles are the board without pieces. */
function Tiles({ layout: l, last }: { layout: Layout; last?: Span }) {
  const { rules } = l;
  const marked = last ? [last.from, last.to].map((s) => tile(rules.cell(last.side, s))) : [];
  const mark = (c: Cell) => (marked.includes(tile(c)) ? " marked" : "");
  return (
    <g>
      <Ground layout={l} />
      {rules.tiles.map(({ at, square }) => (
        <g transform={translate(l.middle(at))} class={"tile" + mark(at)}>
          <rect x="-46" y="-46" width="92" height="92" rx="9" />
          {rules.isRosette(square) ? <Rosette /> : <Sign {...at} />}
        </g>
      ))}
      {sides.map((side) => [HAND, rules.home].map((s) => (
        <g transform={translate(l.at(side, s))} class={"gap" + mark(rules.cell(side, s))}>
          <rect x="-44" y="-44" width="88" height="88" rx="14" />
          <text y="41">{s === HAND ? "hand" : "home"}</text>
        </g>
      )))}
    </g>
  );
}

/** Ground is the wood that the tiles lie on: a rounded block below each tile, and a straight one
 * over the border to each neighbour. */
function Ground({ layout: l }: { layout: Layout }) {
  const size = 118;
  const block = (a: Cell, b: Cell) => {
    const [p, q] = [l.middle(a), l.middle(b)];
    const [width, height] = [Math.abs(p.x - q.x) || size, Math.abs(p.y - q.y) || size];
    const [x, y] = [(p.x + q.x - width) / 2, (p.y + q.y - height) / 2];
    return <rect x={x} y={y} width={width} height={height} rx={a === b ? 18 : 0} />;
  };
  const blocks = l.rules.tiles.map(({ at }) => {
    const next = [{ ...at, column: at.column + 1 }, { ...at, row: at.row + 1 }];
    return [at, ...next.filter((c) => l.rules.isTile(c))].map((c) => block(at, c));
  });
  return <g class="ground">{blocks}</g>;
}

/** Coordinates are the names of rows and columns at the edge: A to C, and 1 to 8. */
function Coordinates({ layout: l }: { layout: Layout }) {
  const { columns } = l.rules.set;
  const label = (cell: Cell, below: boolean, name: string | number) => {
    const { x, y } = l.middle(cell);
    return <text x={below ? x : -25} y={below ? l.height + 32 : y + 8}>{name}</text>;
  };
  return (
    <g class="coordinates" aria-hidden="true">
      {columns.map((_, row) => label({ column: 1, row }, l.upright, tile({ column: 0, row })[0]))}
      {[...columns[0]].map((_, i) => label({ column: i + 1, row: 0 }, !l.upright, i + 1))}
    </g>
  );
}

function Path({ side, layout: l }: { side: Side; layout: Layout }) {
  const aside = side === "light" ? 9 : -9; // the two ways lie beside each other
  const points = [HAND, ...l.rules.squares, l.rules.home].map((s) => {
    const { x, y } = l.at(side, s);
    return l.rules.across(s) === 0 ? { x, y } : l.upright ? { x: x + aside, y } : { x, y: y + aside };
  });
  return <polyline class={"path " + side} points={line(points)} />;
}

function Numbers({ side, layout: l }: { side: Side; layout: Layout }) {
  return (
    <g class={"numbers " + side}>
      {l.rules.squares.map((s) => {
        const { x, y } = l.at(side, s);
        return <text x={x + (side === "light" ? -33 : 33)} y={y + (side === "light" ? 39 : -28)}>{s}</text>;
      })}
    </g>
  );
}

/** ArrowLine draws a move from the middle of a cell to that of another. */
function ArrowLine({ arrow, layout: l }: { arrow: Arrow; layout: Layout }) {
  const a = l.at(arrow.side, arrow.from);
  const b = l.at(arrow.side, arrow.to);
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const shaft = Math.max(0, length - 34);
  const angle = (180 * Math.atan2(b.y - a.y, b.x - a.x)) / Math.PI;
  return (
    <g class={"arrow " + arrow.kind} transform={`${translate(a)} rotate(${angle})`}>
      <path d={`M0 -7H${shaft}V-22L${length} 0L${shaft} 22V7H0z`} />
    </g>
  );
}

function Pieces({ side, counts, layout: l }: { side: Side; counts: number[]; layout: Layout }) {
  const piled = (square: number) => square === HAND || square === l.rules.home;
  return (
    <g>
      {counts.map((n, square) => n > 0 && (
        <g transform={translate(l.at(side, square))}>{piled(square) ? <Pile side={side} count={n} /> : <Piece side={side} />}</g>
      ))}
    </g>
  );
}

/** Target marks where a move ends. A click on it makes the move, too. */
function Target(p: { move: Move; side: Side; layout: Layout; active: boolean; choose(from: number): void }) {
  return (
    <g transform={translate(p.layout.at(p.side, p.move.to))} class={"target" + (p.active ? " active" : "")}
      onClick={() => p.choose(p.move.from)}>
      <rect x="-46" y="-46" width="92" height="92" rx="9" />
      {!p.move.capture && <circle r="11" />}
    </g>
  );
}

function Walk({ span, layout: l }: { span: Span; layout: Layout }) {
  const stops = l.stops(span);
  return (
    <g class="walk">
      <polyline points={line(stops)} />
      {[stops[0], stops[stops.length - 1]].map(({ x, y }) => <rect x={x - 46} y={y - 46} width="92" height="92" rx="9" />)}
    </g>
  );
}

const stepTime = 110; // ms from square to square

function Moving({ turn, layout: l, done }: { turn: Turn; layout: Layout; done(): void }) {
  const piece = useRef<SVGGElement>(null);
  useLayoutEffect(() => {
    if (turn.from < 0 || calm()) {
      const timer = setTimeout(done, 0);
      return () => clearTimeout(timer);
    }
    const frames = l.stops(turn).map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
    const walk = piece.current!.animate(frames, { duration: stepTime * (frames.length - 1), easing: "ease-in-out", fill: "forwards" });
    walk.onfinish = done;
    return () => walk.cancel();
  }, [turn]);
  if (turn.from < 0) return null;
  return (
    <g ref={piece} transform={translate(l.at(turn.side, turn.from))}>
      <Piece side={turn.side} />
    </g>
  );
}

/** Choice is the button of a move, on the piece that it moves. */
function Choice(p: {
  rules: Rules;
  move: Move;
  number: number;
  side: Side;
  style: Record<string, string>;
  hint?: Hint;
  choose(from: number): void;
  activate(from: number | null): void;
}) {
  const m = p.move;
  return (
    <button type="button" class={"choice" + (p.hint?.regret === 0 ? " best" : "")} data-from={m.from} style={p.style}
      onClick={() => p.choose(m.from)} {...pointing(() => p.activate(m.from), () => p.activate(null))}>
      <span class="hidden">Move </span>
      <span class="number">{p.number}</span>
      <span class="hidden">: {p.rules.place(p.side, m.from)} to {p.rules.place(p.side, m.to)}{gains(m)}</span>
      {p.hint && <span class="odds">{percent(p.hint.win)}</span>}
    </button>
  );
}

export const percent = (part: number, digits = 0) => `${(100 * part).toFixed(digits)}%`;
