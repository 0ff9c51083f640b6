// Two-sided dice: pyramids of which two corners are white.

import { useEffect, useState } from "preact/hooks";

/** The weights of the rolls of four dice, and of three of which none up counts as 4. */
const four = [1, 4, 6, 4, 1];
const three = [0, 3, 3, 1, 1];

/** Dice shows a roll; while they tumble, any. Other dice than those of the built-in rule sets are
 * not drawn. */
export function Dice({ roll, tumbling, weights = four }: { roll: number | null; tumbling: boolean; weights?: number[] }) {
  const all = weights.join() === three.join();
  const dice = all ? [0, 1, 2] : weights.join() === four.join() ? [0, 1, 2, 3] : [];
  const [shown, setShown] = useState<boolean[]>([]);
  useEffect(() => {
    if (!tumbling) return;
    const timer = setInterval(() => setShown(dice.map(() => Math.random() < 0.5)), 70);
    return () => clearInterval(timer);
  }, [tumbling]);
  const white = (i: number) => (tumbling ? shown[i] : roll !== null && i < (all && roll === 4 ? 0 : roll));
  return (
    <div class={"dice" + (tumbling ? " tumbling" : "")} role="img" aria-label={roll === null || tumbling ? "dice" : `a roll of ${roll}`}>
      {dice.map((i) => (
        <svg viewBox="0 0 44 40" class={white(i) ? "die white" : "die"}>
          <path class="left" d="M22 2L2 37L22 29z" />
          <path class="right" d="M22 2L42 37L22 29z" />
          <path class="foot" d="M2 37L22 29L42 37z" />
          <circle cx="22" cy="8" r="5.5" />
        </svg>
      ))}
      <span class="roll">{roll === null || tumbling ? "" : roll}</span>
    </div>
  );
}
