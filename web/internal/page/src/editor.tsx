// The editor: sets up any position and roll.

import { useState } from "preact/hooks";
import { Board } from "./board";
import { Select } from "./controls";
import { colour, type Counts, HAND, other, type Rules, rulesOf, sides } from "./game";
import { usePhone } from "./layout";
import { able, countdown, PlayerChoice, playersOf, RuleChoice, ruleSet } from "./newgame";
import { CopyBox, OpenBox } from "./share";
import { firstOpponent, type Table } from "./table";
import type { About, Side } from "./types";

/** textOf is the text form of a position, as "ur game" reads it. */
export function textOf({ squares, home }: Rules, counts: Counts, side: Side): string {
  const half = (s: Side, letter: string) => `${counts[s][HAND]}:${squares.map((q) => (counts[s][q] > 0 ? letter : ".")).join("")}:${counts[s][home]}`;
  return `${half("light", "L")} ${half("dark", "D")} ${side === "light" ? "L" : "D"}`;
}

export function Editor({ table, about }: { table: Table; about: About | null }) {
  const phone = usePhone();
  const [name, setName] = useState("finkel");
  const set = ruleSet(about, name);
  const rules = rulesOf(set);
  const { home } = rules;
  const [counts, setCounts] = useState<Counts>(() => rules.empty(7));
  const [side, setSide] = useState<Side>("light");
  const [roll, setRoll] = useState(2);
  const [bottom, setBottom] = useState<Side>("light");
  const [opponent, setOpponent] = useState(firstOpponent);
  const [message, setMessage] = useState("");
  const pieces = counts.light.reduce((a, b) => a + b);
  const text = textOf(rules, counts, side);
  const won = sides.some((s) => counts[s][home] === pieces);
  const against = able(playersOf(about, set), pieces, opponent);
  const isShared = (square: number) => rules.across(square) > 0;
  /** changeRules empties the board of other rules. */
  const changeRules = (next: string) => {
    const other = rulesOf(ruleSet(about, next));
    setName(next);
    setCounts(other.empty(other.set.pieces));
    if (!other.rolls.includes(roll)) setRoll(2);
  };
  /** put changes the count of a square, with pieces from the hand or back into it. */
  const put = (s: Side, square: number, n: number) => {
    const next: Counts = { light: [...counts.light], dark: [...counts.dark] };
    next[s][HAND] += next[s][square] - n;
    next[s][square] = n;
    const across = rules.across(square);
    if (across > 0 && n > 0 && next[other(s)][across] > 0) {
      next[other(s)][HAND]++;
      next[other(s)][across] = 0;
    }
    if (next[s][HAND] < 0) return setMessage(`${colour(s)} has no more pieces in hand.`);
    setMessage("");
    setCounts(next);
  };
  /** click gives a square its next content: on a shared square, one of Light's, empty, Light, Dark. */
  const click = (s: Side, square: number) => {
    if (!isShared(square)) return put(s, square, counts[s][square] > 0 ? 0 : 1);
    const dark = rules.across(square);
    if (counts.light[square] > 0) return counts.dark[HAND] > 0 ? put("dark", dark, 1) : put("light", square, 0);
    if (counts.dark[dark] > 0) return put("dark", dark, 0);
    if (counts.light[HAND] > 0) put("light", square, 1);
    else put("dark", dark, 1);
  };
  const play = (light: string, dark: string) => {
    table.begin({ light, dark, rules: name, pieces, start: text, roll });
    location.hash = "#/";
  };
  const content = (s: Side, q: number) => (counts[s][q] > 0 ? s : isShared(q) && counts[other(s)][rules.across(q)] > 0 ? other(s) : "empty");
  return (
    <div class="play editor">
      <section class="table" aria-label="The position">
        <Board rules={rules} counts={counts} bottom={bottom} upright={phone} side={side} moves={won ? [] : rules.legal(counts, side, roll)}
          over={(style) => rules.tiles.map(({ at, side: s, square: q }) => (
            <button type="button" class="square" style={style(at)} onClick={() => click(s, q)}><span class="hidden">{rules.place(s, q)}: {content(s, q)}</span></button>
          ))} />
        <p class="note" role="status">{message || "Click a square to change it. The pieces come from the hand."}</p>
      </section>
      <aside class="side" aria-label="The settings of the position">
        <form class="form" onSubmit={(e) => e.preventDefault()}>
          <RuleChoice about={about} value={name} choose={changeRules} />
          <div class="pair">
            <Select label="Pieces" value={pieces} options={countdown(rules.set.pieces).map((n) => [n])} choose={(n) => setCounts(rules.empty(n))} />
            <Select label="Roll" value={roll} options={rules.rolls.map((n) => [n])} choose={(n) => setRoll(n)} />
          </div>
          <div class="pair">
            {sides.map((s) => (
              <Select label={colour(s) + " at home"} value={counts[s][home]} options={Array.from({ length: counts[s][home] + counts[s][HAND] + 1 }, (_, n) => [n])}
                choose={(n) => put(s, home, n)} />
            ))}
          </div>
          <Select label="To move" value={side} options={sides.map((s) => [s, colour(s)])} choose={(s) => setSide(s)} />
          <PlayerChoice label="Against" about={about} rules={set} pieces={pieces} value={opponent} choose={setOpponent} people />
          <div class="actions">
            <button type="button" class="primary" disabled={won || against === "friend"} onClick={() => (side === "light" ? play("human", against) : play(against, "human"))}>Play</button>
            <button type="button" disabled={won} onClick={() => play("human", "human")}>Analyse</button>
            <button type="button" onClick={() => setBottom(other(bottom))}>Flip the board</button>
            <button type="button" onClick={() => setCounts(rules.empty(pieces))}>Clear</button>
          </div>
          <CopyBox label="The position as text" text={text} button="Copy the position" />
        </form>
        <OpenBox rules={name} open={(game) => { table.open(game); location.hash = "#/g/" + game; }} />
      </aside>
    </div>
  );
}
