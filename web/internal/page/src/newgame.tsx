// The form that begins a game.

import { h } from "preact";
import { useState } from "preact/hooks";
import type { About } from "./types";

/** who says in a word what to expect of a level. */
const who = ["", "a beginner", "a novice", "learning", "casual", "steady", "good", "strong", "very strong", "an expert", "perfect play"];

export function levelName(n: number): string {
  return `Level ${n}, ${who[n]}`;
}

export function NewGame({ about, begin }: { about: About | null; begin(light: string, dark: string, pieces: number): void }) {
  const [opponent, setOpponent] = useState("level:4");
  const [me, setMe] = useState("light");
  const [pieces, setPieces] = useState(7);
  const [first, setFirst] = useState("level:6");
  const start = (e: Event) => {
    e.preventDefault();
    if (me === "light") begin("human", opponent, pieces);
    else if (me === "dark") begin(opponent, "human", pieces);
    else begin(first, opponent, pieces);
  };
  return (
    <form class="form" onSubmit={start}>
      <label>
        I play
        <select value={me} onChange={(e) => setMe(e.currentTarget.value)}>
          <option value="light">Light, and begin</option>
          <option value="dark">Dark</option>
          <option value="watch">nobody: I watch two players</option>
        </select>
      </label>
      {me === "watch" && <PlayerChoice label="First player" about={about} value={first} choose={setFirst} people={false} />}
      <PlayerChoice label={me === "watch" ? "Second player" : "Against"} about={about} value={opponent} choose={setOpponent} people={me !== "watch"} />
      <label>
        Pieces
        <select value={pieces} onChange={(e) => setPieces(Number(e.currentTarget.value))}>
          {[7, 6, 5, 4, 3, 2, 1].map((n) => (
            <option value={n}>{n === 7 ? "7, the whole game" : n}</option>
          ))}
        </select>
      </label>
      <button class="primary" type="submit">Begin</button>
      {!opponent.startsWith("level:") && opponent !== "human" && (
        <p class="note">
          <strong>{opponent}</strong>: {about?.players.find((p) => p.name === opponent)?.help}.
        </p>
      )}
    </form>
  );
}

/** PlayerChoice is a list of all players. */
export function PlayerChoice(p: { label: string; about: About | null; value: string; choose(name: string): void; people: boolean }) {
  const all = p.about?.players.map((x) => x.name) ?? ["level:4"];
  const levels = all.filter((name) => name.startsWith("level:"));
  const others = all.filter((name) => !name.startsWith("level:") && name !== "human");
  return (
    <label>
      {p.label}
      <select value={p.value} onChange={(e) => p.choose(e.currentTarget.value)}>
        <optgroup label="By strength">
          {levels.map((name) => (
            <option value={name}>{levelName(Number(name.slice(6)))}</option>
          ))}
        </optgroup>
        {p.people && (
          <optgroup label="People">
            <option value="human">somebody beside me</option>
          </optgroup>
        )}
        <optgroup label="Programs">
          {others.map((name) => (
            <option value={name}>{name}</option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}

