// The buttons below the board, and the lists to choose from.

import type { ComponentChildren } from "preact";
import { branch } from "./game";
import type { Scene } from "./scene";
import type { About, View } from "./types";

export function Actions({ scene, fresh, resign }: { scene: Scene; fresh(): void; resign(): void }) {
  const { view, table, link, settings, setPanel } = scene;
  return (
    <div class="actions" role="toolbar" aria-label="Game">
      {link?.actions}
      {!link && <Action icon="↶" text="Undo" disabled={!view.undo || (table.busy && view.more)} act={() => table.ask("undo")} />}
      {!link && <Action icon="↷" text="Redo" disabled={!view.redo} act={() => table.ask("redo")} />}
      {scene.helped && <Action icon="✦" text="Hints" pressed={settings.hints} act={() => settings.set("hints", !settings.hints)} />}
      <Action icon="⚑" text="Resign" disabled={scene.over || !(link ? link.playing : view.players.includes("human"))} act={resign} />
      <Action icon="+" text="New game" act={fresh} />
      {scene.phone && (scene.panel === null
        ? <Action icon="☰" text="More" act={() => setPanel("moves")} />
        : <Action icon="▦" text="Board" act={() => { setPanel(null); scene.look(Infinity); }} />)}
    </div>
  );
}

function Action(p: { icon: string; text: string; pressed?: boolean; disabled?: boolean; act(): void }) {
  return (
    <button type="button" aria-pressed={p.pressed} disabled={p.disabled} onClick={p.act}>
      <span class="icon" aria-hidden="true">{p.icon}</span>
      <span class="label">{p.text}</span>
    </button>
  );
}

/** Stepper goes through the turns, and plays on from one of them. */
export function Stepper({ scene: { view, about, table, past, turns: of, look, helped } }: { scene: Scene }) {
  const at = past ?? of;
  const steps: [string, string, number][] = [["First turn", "«", 0], ["Previous turn", "‹", at - 1], ["Next turn", "›", at + 1], ["Last turn", "»", of]];
  return (
    <div class="stepper" role="toolbar" aria-label="Turns">
      {steps.map(([name, sign, to], i) => (
        <button type="button" aria-label={name} disabled={i < 2 ? at === 0 : at >= of} onClick={() => look(to)}>{sign}</button>
      ))}
      {helped && <button type="button" disabled={at >= of} onClick={() => table.open(branch(view.game, at, opponents(view, about)))}>Play on from here</button>}
    </div>
  );
}

/** opponents are the players of a variation: a player that is not available becomes a person. */
function opponents(view: View, about: About | null): [string, string] {
  const all = about?.rules.find((r) => r.name === (view.rules?.name ?? "finkel"))?.players;
  const known = (name: string) => (all?.some((p) => p.name === name && p.most >= view.pieces) ? name : "human");
  const players = view.players.map(known) as [string, string];
  return players.includes("human") ? players : ["human", "human"];
}

export interface Choices<T> {
  label: string;
  class?: string;
  value: T;
  options: [T, ComponentChildren?][]; // values with their texts, if these are others
  choose(value: T): void;
  children?: ComponentChildren; // notes below
}

export function Select<T extends string | number>(p: Choices<T>) {
  return (
    <label>
      {p.label}
      <select class={p.class} value={p.value} onChange={(e) => p.choose(p.options[e.currentTarget.selectedIndex][0])}>
        {p.options.map(([value, text]) => <option value={value}>{text ?? value}</option>)}
      </select>
      {p.children}
    </label>
  );
}
