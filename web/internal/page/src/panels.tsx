// The panels beside the board.

import { Select } from "./controls";
import { MoveList } from "./moves";
import type { Panel, Scene } from "./scene";
import type { Settings } from "./settings";

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
