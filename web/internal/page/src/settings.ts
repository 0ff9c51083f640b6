// What the browser remembers for the user.

import { useState } from "preact/hooks";

/** memory holds the values that the storage refuses because it is denied or full. */
const memory = new Map<string, string>(history.state?.memory);

/** carry stores memory in the present entry of the history, which lasts over a reload. */
const carry = () => memory.size > 0 && history.replaceState({ memory: [...memory] }, "");

let carrying = false;

/** carryLater carries all values of a moment at once: browsers limit how often the history changes. */
function carryLater(): void {
  if (!carrying) queueMicrotask(() => { carrying = false; carry(); });
  carrying = true;
}

addEventListener("hashchange", carry);

/** read returns the value of a name, or "". */
export function read(name: string): string {
  try {
    return memory.get(name) ?? localStorage.getItem("ur." + name) ?? "";
  } catch {
    return "";
  }
}

/** keep stores a value: without storage, as long as the window is open. */
export function keep(name: string, text: string): void {
  try {
    localStorage.setItem("ur." + name, text);
    memory.delete(name);
  } catch {
    memory.set(name, text);
    carryLater();
  }
}

/** readJSON returns a stored value, or another one if there is none that can be read. */
export function readJSON<T>(name: string, otherwise: T): T {
  try {
    return (JSON.parse(read(name)) as T) ?? otherwise;
  } catch {
    return otherwise;
  }
}

const first = {
  hints: false,
  paths: false,
  numbers: false, // of the squares of the paths
  flip: false,
  sound: false,
  vibration: false,
  tutor: 0, // points a move may lose before the tutor warns; 0 is off
};

type Values = typeof first;

export type Settings = Values & { set<K extends keyof Values>(name: K, value: Values[K]): void };

export function useSettings(): Settings {
  const [values, setValues] = useState<Values>(() => {
    const found = Object.entries(first).map(([name, value]) => [name, readJSON<unknown>(name, value), value]);
    return Object.fromEntries(found.map(([name, stored, value]) => [name, typeof stored === typeof value ? stored : value])) as Values;
  });
  const set: Settings["set"] = (name, value) => {
    setValues((now) => ({ ...now, [name]: value }));
    keep(name, JSON.stringify(value));
  };
  return { ...values, set };
}
