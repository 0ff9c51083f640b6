// Loading of the rest of the page.

import { useEffect, useState } from "preact/hooks";

export type Rest = typeof import("./rest");

let loaded: Rest | null = null;

export const load = async (): Promise<Rest> => (loaded ??= await import("./rest"));

/** useRest returns the rest of the page once it is wanted and loaded. It tries until it is. */
export function useRest(wanted: boolean): Rest | null {
  const [rest, setRest] = useState(loaded);
  useEffect(() => {
    if (!wanted || rest) return;
    let timer: ReturnType<typeof setTimeout>;
    const attempt = () => load().then(setRest, () => (timer = setTimeout(attempt, 1000)));
    void attempt();
    return () => clearTimeout(timer);
  }, [wanted, rest]);
  return rest;
}
