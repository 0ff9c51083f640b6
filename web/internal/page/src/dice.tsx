// Four two-sided dice: pyramids of which two corners are white.

import { h } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Dice shows a roll; while they tumble, any. */
export function Dice({ roll, tumbling }: { roll: number | null; tumbling: boolean }) {
  const [shown, setShown] = useState<boolean[]>([]);
  useEffect(() => {
    if (!tumbling) return;
    const timer = setInterval(() => setShown([0, 1, 2, 3].map(() => Math.random() < 0.5)), 70);
    return () => clearInterval(timer);
  }, [tumbling]);
  const white = (i: number) => (tumbling ? shown[i] : roll !== null && i < roll);
  return (
    <div class={"dice" + (tumbling ? " tumbling" : "")} role="img" aria-label={roll === null || tumbling ? "dice" : `a roll of ${roll}`}>
      {[0, 1, 2, 3].map((i) => (
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
