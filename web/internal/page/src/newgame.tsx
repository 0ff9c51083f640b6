// The form for a new game.

import { useLayoutEffect, useState } from "preact/hooks";
import { type Choices, Select } from "./controls";
import { focusForm } from "./layout";
import { firstOpponent, type GameSetup } from "./table";
import type { About, OfferedRules, Player } from "./types";

/** friend is the opponent that plays by a link. */
const friend = "friend";

export function NewGame({ about, begin }: { about: About | null; begin(setup: GameSetup): void }) {
  const [opponent, setOpponent] = useState(firstOpponent);
  const [me, setMe] = useState("light");
  const [name, setName] = useState("finkel");
  const [chosen, setPieces] = useState(0); // 0 for all pieces
  const rules = ruleSet(about, name);
  const all = rules?.pieces ?? 7;
  const pieces = Math.min(chosen || all, all);
  const [first, setFirst] = useState("level:6");
  const start = (e: Event) => {
    e.preventDefault();
    if (opponent === friend && !watching) location.hash = `#/friend/new/${me}/${pieces}` + (name === "finkel" ? "" : "/" + name);
    else if (me === "dark") begin({ light: against, dark: "human", pieces, rules: name });
    else begin({ light: watching ? able(playersOf(about, rules), pieces, first) : "human", dark: against, pieces, rules: name });
  };
  const against = able(playersOf(about, rules), pieces, opponent);
  const watching = me === "watch";
  useLayoutEffect(focusForm, []);
  return (
    <form class="form" onSubmit={start}>
      <h2>New game</h2>
      <RuleChoice about={about} value={name} choose={setName} />
      <Select label="I play" value={me} options={[["light", "Light, and begin"], ["dark", "Dark"], ["watch", "neither: I watch two players"]]}
        choose={(me) => { setMe(me); if (me === "watch" && [friend, "human"].includes(opponent)) setOpponent(firstOpponent); }} />
      {watching && <PlayerChoice label="First player" about={about} rules={rules} pieces={pieces} value={first} choose={setFirst} />}
      <PlayerChoice label={watching ? "Second player" : "Against"} about={about} rules={rules} pieces={pieces} value={opponent} choose={setOpponent} people={!watching} />
      <Select label="Pieces" value={pieces} options={countdown(all).map((n) => [n, n === all ? `${n}, the whole game` : `${n}`])} choose={(n) => setPieces(n)} />
      <button class="primary" type="submit">Begin</button>
    </form>
  );
}

interface PlayerChoices extends Pick<Choices<string>, "label" | "value" | "choose"> {
  about: About | null;
  rules?: OfferedRules; // Finkel's if left out
  pieces: number;
  people?: boolean; // persons can be chosen
}

export const countdown = (n: number) => Array.from({ length: n }, (_, i) => n - i);

export const ruleSet = (about: About | null, name: string): OfferedRules | undefined => about?.rules.find((r) => r.name === name);

export function playersOf(about: About | null, rules?: OfferedRules): Player[] {
  return (rules ?? ruleSet(about, "finkel"))?.players ?? [{ name: firstOpponent, title: "Level 4", most: 7 }];
}

/** able returns a player if it plays games of a number of pieces, otherwise the best that does. */
export function able(players: Player[], pieces: number, name: string): string {
  const plays = (n: string) => players.some((p) => p.name === n && p.most >= pieces);
  return name === friend || name === "human" || plays(name) ? name : [firstOpponent, "search:depth=2", "greedy"].find(plays) ?? "human";
}

/** RuleChoice is a list of the rule sets, with the description of the chosen one. */
export function RuleChoice({ about, value, choose }: { about: About | null; value: string; choose(name: string): void }) {
  const rules = ruleSet(about, value);
  const all = about?.rules ?? [{ name: "finkel", title: "Finkel" }];
  return (
    <Select label="Rules" class="rules-choice" value={value} options={all.map((r) => [r.name, r.title])} choose={choose}>
      {rules && rules.name !== "finkel" && <span class="note">{rules.about}</span>}
    </Select>
  );
}

/** PlayerChoice is a list of all players. Those that cannot play here are disabled. */
export function PlayerChoice(p: PlayerChoices) {
  const all = playersOf(p.about, p.rules);
  const levels = all.filter((x) => x.name.startsWith("level:"));
  const others = all.filter((x) => !x.name.startsWith("level:") && x.name !== "human");
  const missing = all.filter((x) => x.most < p.pieces);
  const option = (x: Player) => (
    <option value={x.name} disabled={x.most < p.pieces}>{x.title}{x.most < p.pieces && (x.why?.includes(" net,") ? " (no net)" : " (no table)")}</option>
  );
  return (
    <label>
      {p.label}
      <select value={able(all, p.pieces, p.value)} onChange={(e) => p.choose(e.currentTarget.value)}>
        <optgroup label="By strength">{levels.map(option)}</optgroup>
        {p.people && (
          <optgroup label="People">
            <option value="human">A person beside you</option>
            {p.about?.server && <option value={friend}>A friend, by a link</option>}
          </optgroup>
        )}
        <optgroup label="Programs">{others.map(option)}</optgroup>
      </select>
      {[...new Set(missing.map((x) => x.why))].map((why) => why && <span class="note">{why} </span>)}
    </label>
  );
}
