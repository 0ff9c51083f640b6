// The window: its size, and what its user prefers.

import { useLayoutEffect, useState } from "preact/hooks";

export const phone = matchMedia("(max-width: 640px)");

/** calm reports whether the user prefers no animations. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** usePhone reports whether the window is as narrow as a phone. */
export function usePhone(): boolean {
  const [is, setIs] = useState(phone.matches);
  useLayoutEffect(() => {
    const changed = () => setIs(phone.matches);
    phone.addEventListener("change", changed);
    return () => phone.removeEventListener("change", changed);
  }, []);
  return is;
}

/** focusForm moves the focus to the first field of the form beside the board, if there is one. */
export const focusForm = () => document.querySelector<HTMLElement>(".side form select")?.focus();
