// A position with the question for the best move: a puzzle, or a mistake of one's own.

import { h } from "preact";
import { useState } from "preact/hooks";
import { Lines } from "./analysis";
import { Board, Lit } from "./board";
import { Dice } from "./dice";
import { colour, countsOf, finkel, type Rules, type Span } from "./game";
import { usePhone } from "./layout";
import type { Hints, Puzzle } from "./types";

/** good is the loss of a move that counts as good as the best. */
const good = 0.001;

interface Props {
  rules?: Rules; // Finkel's if left out
  puzzle: Puzzle;
  by: string;
  question: string;
  best?: boolean; // only the best move is right; otherwise one that loses less than a point
  solved(right: boolean): void; // is called once, with the first answer
  next?(): void;
  nextText?: string;
  close?(): void;
}

export function Quiz(p: Props) {
  const { puzzle, rules = finkel } = p;
  const [chosen, setChosen] = useState<number | null>(null);
  const [done, setDone] = useState(false);
  const [lit, setLit] = useState<Span | null>(null);
  const upright = usePhone();
  const best = puzzle.moves.reduce((x, y) => (y.win > x.win ? y : x));
  const move = puzzle.moves.find((m) => m.from === chosen);
  const right = move && move.regret < (p.best ? good : 0.01);
  const choose = (from: number) => {
    const m = puzzle.moves.find((x) => x.from === from)!;
    if (chosen === null && !done) p.solved(m.regret < (p.best ? good : 0.01));
    setChosen(from);
    if (m.regret < (p.best ? good : 0.01)) setDone(true);
  };
  const give = () => {
    if (chosen === null) p.solved(false);
    setDone(true);
  };
  const hints: Hints = { by: p.by, before: 0, moves: puzzle.moves };
  return (
    <Lit.Provider value={setLit}>
      <div class={"play quiz" + (done ? " done" : "")} data-panel={done ? "moves" : ""}>
        <section class="table" aria-label="The position">
          <Board rules={rules} counts={countsOf(puzzle.board)} bottom={puzzle.side} upright={upright && !done} side={puzzle.side} moves={puzzle.moves} lit={lit}
            choose={done ? undefined : choose} arrows={done ? [{ side: puzzle.side, from: best.from, to: best.to, kind: "best" }] : []} />
          <div class="tray">
            <Dice roll={puzzle.roll} tumbling={false} weights={rules.set.dice} />
            <p class="status">{colour(puzzle.side)} rolled <strong>{puzzle.roll}</strong>. {p.question}</p>
          </div>
          <p class="said answer" role="status">
            {move && (right ? `${move.text} is right.` : `${move.text} loses ${(100 * move.regret).toFixed(1)} points. ${done ? "" : "Try another move."}`)}
            {done && !right && ` The best move is ${best.text}.`}
          </p>
          <div class="actions" role="toolbar" aria-label="Puzzle">
            {!done && <button type="button" onClick={give}>Show the solution</button>}
            {done && p.next && <button type="button" class="primary" onClick={p.next}>{p.nextText ?? "Next"}</button>}
            {p.close && <button type="button" onClick={p.close}>Back to the game</button>}
          </div>
        </section>
        {done && (
          <aside class="side" aria-label="The moves">
            <Lines hints={hints} likely={rules.likely} side={puzzle.side} />
          </aside>
        )}
      </div>
    </Lit.Provider>
  );
}
