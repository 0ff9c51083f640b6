// What the browser remembers for the user.

import { useState } from "preact/hooks";

/** read returns what is stored under a name, or "" where the browser keeps nothing. */
export function read(name: string): string {
  try {
    return localStorage.getItem("ur." + name) ?? "";
  } catch {
    return "";
  }
}

/** keep stores a text. Without storage the value lasts as long as the page. */
export function keep(name: string, text: string): void {
  try {
    localStorage.setItem("ur." + name, text);
  } catch {
    // The page works without it.
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

/** useStored is a value that the browser remembers. */
export function useStored<T extends string | number | boolean>(name: string, begin: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const found = readJSON<T>(name, begin);
    return typeof found === typeof begin ? found : begin;
  });
  return [value, (next) => {
    setValue(next);
    keep(name, JSON.stringify(next));
  }];
}

/** Settings are the switches of the board. */
export interface Settings {
  hints: boolean;
  paths: boolean;
  numbers: boolean;
  flip: boolean;
  sound: boolean;
  buzz: boolean;
  tutor: number; // points a move may lose before the tutor warns; 0 is off
  set(name: Switch, on: boolean): void;
  setTutor(points: number): void;
}

export type Switch = "hints" | "paths" | "numbers" | "flip" | "sound" | "buzz";

export function useSettings(): Settings {
  const [hints, setHints] = useStored<boolean>("hints", false);
  const [paths, setPaths] = useStored<boolean>("show-paths", false);
  const [numbers, setNumbers] = useStored<boolean>("numbers", false);
  const [flip, setFlip] = useStored<boolean>("flip", false);
  const [sound, setSound] = useStored<boolean>("sound", false);
  const [buzz, setBuzz] = useStored<boolean>("vibration", false);
  const [tutor, setTutor] = useStored<number>("tutor", 0);
  const setters: Record<Switch, (on: boolean) => void> = { hints: setHints, paths: setPaths, numbers: setNumbers, flip: setFlip, sound: setSound, buzz: setBuzz };
  return { hints, paths, numbers, flip, sound, buzz, tutor, set: (name, on) => setters[name](on), setTutor };
}
