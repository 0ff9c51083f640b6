// The form for a new game.

import { h } from "preact";
import { useState } from "preact/hooks";
import type { GameSetup } from "./table";
import type { About, Player } from "./types";

/** friend is the opponent that plays by a link. */
const friend = "friend";

export function NewGame({ about, begin }: { about: About | null; begin(setup: GameSetup): void }) {
  const [opponent, setOpponent] = useState("level:4");
  const [me, setMe] = useState("light");
  const [pieces, setPieces] = useState(7);
  const [first, setFirst] = useState("level:6");
  const start = (e: Event) => {
    e.preventDefault();
    if (opponent === friend && me !== "watch") location.hash = `#/friend/new/${me}/${pieces}`;
    else if (me === "light") begin({ light: "human", dark: opponent, pieces });
    else if (me === "dark") begin({ light: opponent, dark: "human", pieces });
    else begin({ light: first, dark: opponent, pieces });
  };
  const watching = me === "watch";
  const help = about?.players.find((p) => p.name === opponent)?.help;
  return (
    <form class="form" onSubmit={start}>
      <h2>New game</h2>
      <label>
        I play
        <select value={me} onChange={(e) => { setMe(e.currentTarget.value); if (e.currentTarget.value === "watch" && [friend, "human"].includes(opponent)) setOpponent("level:4"); }}>
          <option value="light">Light, and begin</option>
          <option value="dark">Dark</option>
          <option value="watch">neither: I watch two players</option>
        </select>
      </label>
      {watching && <PlayerChoice label="First player" about={about} pieces={pieces} value={first} choose={setFirst} />}
      <PlayerChoice label={watching ? "Second player" : "Against"} about={about} pieces={pieces} value={opponent} choose={setOpponent} people={!watching} />
      <label>
        Pieces
        <select value={pieces} onChange={(e) => setPieces(Number(e.currentTarget.value))}>
          {[7, 6, 5, 4, 3, 2, 1].map((n) => (
            <option value={n}>{n === 7 ? "7, the whole game" : n}</option>
          ))}
        </select>
      </label>
      <button class="primary" type="submit">Begin</button>
      {help && !opponent.startsWith("level:") && opponent !== "human" && <p class="note">{help}.</p>}
    </form>
  );
}

interface Choice {
  label: string;
  about: About | null;
  pieces: number;
  value: string;
  choose(name: string): void;
  people?: boolean; // persons can be chosen
}

/** PlayerChoice is a list of all players. Those that cannot play here are disabled. */
export function PlayerChoice(p: Choice) {
  const all: Player[] = p.about?.players ?? [{ name: "level:4", title: "Level 4", help: "", most: 7 }];
  const levels = all.filter((x) => x.name.startsWith("level:"));
  const others = all.filter((x) => !x.name.startsWith("level:") && x.name !== "human");
  const missing = all.filter((x) => x.most < p.pieces);
  const option = (x: Player) => (
    <option value={x.name} disabled={x.most < p.pieces}>{x.title}{x.most < p.pieces && " (no table)"}</option>
  );
  return (
    <label>
      {p.label}
      <select value={p.value} onChange={(e) => p.choose(e.currentTarget.value)}>
        <optgroup label="By strength">{levels.map(option)}</optgroup>
        {p.people && (
          <optgroup label="People">
            <option value="human">A person beside you</option>
            {p.about?.rooms && <option value={friend}>A friend, by a link</option>}
          </optgroup>
        )}
        <optgroup label="Programs">{others.map(option)}</optgroup>
      </select>
      {missing.length > 0 && (
        <span class="note">Perfect play with {p.pieces} pieces needs the table of the complete solution, which is not loaded here. With at most {missing[0].most} pieces it is available.</span>
      )}
    </label>
  );
}
