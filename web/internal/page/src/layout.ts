// The window: its size, its events, and what its user prefers.

import { useLayoutEffect, useRef, useState } from "preact/hooks";

export const phone = matchMedia("(max-width: 640px)");

/** calm reports whether the user prefers no animations. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** useEvent calls the function that was drawn last with each event of a target. */
export function useEvent<E extends Event>(target: EventTarget, name: string, act: (e: E) => void): void {
  const drawn = useRef(act);
  drawn.current = act;
  useLayoutEffect(() => {
    const happened = (e: Event) => drawn.current(e as E);
    target.addEventListener(name, happened);
    return () => target.removeEventListener(name, happened);
  }, []);
}

/** useKeys calls a function for each single key outside of fields, with the element that has the
 * focus. A key for which it returns true does nothing else. */
export function useKeys(pressed: (key: string, at: HTMLElement) => boolean): void {
  useEvent<KeyboardEvent>(window, "keydown", (e) => {
    const at = e.target as HTMLElement;
    if (e.ctrlKey || e.altKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName ?? "")) return;
    if (pressed(e.key, at)) e.preventDefault();
  });
}

export function usePhone(): boolean {
  const [is, setIs] = useState(phone.matches);
  useEvent(phone, "change", () => setIs(phone.matches));
  return is;
}

/** focusForm moves the focus to the first field of the form beside the board, if there is one. */
export const focusForm = () => document.querySelector<HTMLElement>(".side form select")?.focus();
