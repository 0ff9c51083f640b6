// The panels beside the board: the list of turns, with the variations that leave it, and the settings.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useLit } from "./board";
import { Select } from "./controls";
import { colour, rulesOf } from "./game";
import { type Sideline, sidelines } from "./history";
import type { Panel, Scene } from "./scene";
import type { Settings } from "./settings";
import { HintList } from "./status";

/** Panels shows the open panel, and the tabs of the others. */
export function Panels({ scene, learn }: { scene: Scene; learn(mistakes: number[]): void }) {
  const { view, table, about, link, panel, setPanel, rest, helped } = scene;
  const all: [Panel, string, unknown][] = [["moves", "Moves", true], ["analysis", "Analysis", helped], ["link", "Link", link], ["share", "Share", helped], ["settings", "Settings", true]];
  return (
    <aside class="side" aria-label="About the game">
      <div class="tabs" role="group" aria-label="Panel">
        {all.map(([name, text, offered]) => offered && (
          <button type="button" aria-pressed={panel === name} onClick={() => setPanel(name)}>{text}</button>
        ))}
      </div>
      {view.rules && panel !== "new" && (
        <details class="ruleset">
          <summary>The rules: {view.rules.title}</summary>
          <p>{view.rules.about}</p>
        </details>
      )}
      <HintList scene={scene} />
      {panel === "moves" && <MoveList scene={scene} />}
      {panel === "link" && link?.panel}
      {panel === "settings" && <SettingsPanel settings={scene.settings} />}
      {rest && panel === "analysis" && <rest.AnalysisView scene={scene} learn={learn} />}
      {rest && panel === "share" && <rest.ShareBox view={view} about={about} open={table.open} />}
      {rest && panel === "new" && <rest.NewGame about={about} begin={(setup) => { table.begin(setup); setPanel(null); }} />}
    </aside>
  );
}

const switches: ["paths" | "numbers" | "flip" | "sound" | "vibration", string][] = [
  ["paths", "Show both paths"], ["numbers", "Number the squares of the paths"], ["flip", "Flip the board"], ["sound", "Sound"], ["vibration", "Vibration"],
];

const tutored = [1, 2, 3, 5, 10].map((n): [number, string] => [n, `more than ${n} ${n === 1 ? "point" : "points"}`]);

function SettingsPanel({ settings }: { settings: Settings }) {
  return (
    <div class="form">
      {switches.map(([name, text]) => (
        <label class="switch">
          <input type="checkbox" checked={settings[name]} onChange={(e) => settings.set(name, e.currentTarget.checked)} /> {text}
        </label>
      ))}
      <Select label="Tutor: warn before a move that loses" class="tutor" value={settings.tutor}
        options={[[0, "never"], ...tutored]} choose={(n) => settings.set("tutor", n)} />
      <p class="note">A point is one per cent of the probability to win.</p>
    </div>
  );
}

/** MoveList lists the turns. A click on one shows the board before it. One turn is in the tab
 * order, and the arrow keys go on to the others. */
function MoveList({ scene: { view, at, look, open } }: { scene: Scene }) {
  const list = useRef<HTMLOListElement>(null);
  const lit = useLit();
  const n = view.turns.length;
  useEffect(() => {
    const box = list.current;
    const item = box?.querySelector<HTMLElement>(".move[tabindex='0']");
    if (!box || !item) return;
    box.scrollTop = item.offsetTop - box.clientHeight / 2;
    if (box.contains(document.activeElement)) item.focus({ preventScroll: true });
  }, [at, n]);
  if (n === 0) return <p class="note">No turn has been played.</p>;
  const others = sidelines(view.game);
  const current = Math.min(at, n - 1);
  const key = (e: KeyboardEvent) => {
    const to = { ArrowUp: current - 1, ArrowLeft: current - 1, ArrowDown: current + 1, ArrowRight: current + 1, Home: 0, End: n - 1 }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    e.stopPropagation();
    look(Math.min(n - 1, Math.max(0, to)));
  };
  return (
    <ol class="moves" ref={list} aria-label="Moves" onKeyDown={key}>
      {view.turns.map((t, i) => (
        <li>
          <button type="button" class={"move " + t.side} tabIndex={i === current ? 0 : -1} aria-current={i === at ? "true" : undefined}
            onClick={() => look(i)} {...lit(t.from < 0 ? null : t)}>
            <span class="turn-number">{i + 1}</span>
            <span class="disc" aria-hidden="true" />
            <span class="hidden">{colour(t.side)} rolled</span>
            <span class="rolled">{t.roll}</span>
            <span>{t.text}</span>
          </button>
          {others.filter((o) => o.at === i).map((o) => (
            <>
              {" "}
              <Variation line={o} open={open}>
                variation {o.from < 0 ? "" : rulesOf(view.rules).moveText({ side: t.side, from: o.from, to: o.from + t.roll })}
                <span class="note"> {o.turns} {o.turns === 1 ? "turn" : "turns"}</span>
              </Variation>
            </>
          ))}
        </li>
      ))}
      {others.filter((o) => o.at === n).map((o) => <li><Variation line={o} open={open}>goes on for {o.turns} turns</Variation></li>)}
    </ol>
  );
}

function Variation({ line: o, open, children }: { line: Sideline; open: Scene["open"]; children: ComponentChildren }) {
  return <button type="button" class="variation" onClick={() => open(o.game, o.at)}><span aria-hidden="true">↳ </span>{children}</button>;
}
