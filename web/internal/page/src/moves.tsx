// The list of what was played.

import { h } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { View } from "./types";

/** MoveList lists the turns; a click on one shows the board after it. */
export function MoveList({ view, shown, look }: { view: View; shown: number; look(turn: number): void }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current;
    const item = box?.querySelector<HTMLElement>("[aria-current]");
    if (box && item) box.scrollTop = item.offsetTop - box.clientHeight / 2;
  }, [shown]);
  if (view.turns.length === 0) return <p class="note">Nobody has moved yet.</p>;
  return (
    <ol class="moves" ref={list} tabIndex={0} aria-label="Moves">
      {view.turns.map((t, i) => (
        <li>
          <button type="button" class={"move " + t.side} aria-current={i + 1 === shown ? "true" : undefined} onClick={() => look(i + 1)}>
            <span class="turn-number">{i + 1}</span>
            <span class="disc" aria-hidden="true" />
            <span class="hidden">{t.side}</span>
            <span class="rolled">{t.roll}</span>
            <span>{t.text}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
