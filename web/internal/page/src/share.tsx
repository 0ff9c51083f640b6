// Sending a game away, and reading one that came.

import { h } from "preact";
import { useState } from "preact/hooks";
import * as api from "./api";
import type { About, View } from "./types";

const formNames: Record<string, string> = { jsonl: "JSON of ur", text: "text", rgn: "RGN", royalur: "JSON of RoyalUr" };

export function ShareBox({ view, about, open }: { view: View; about: About | null; open(game: string): void }) {
  const [said, setSaid] = useState("");
  const link = location.href.split("#")[0] + "#/g/" + view.game;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setSaid("Copied.");
    } catch {
      setSaid("The browser does not let the page copy: select the link above.");
    }
  };
  const save = async (form: string) => {
    try {
      const file = await api.textOf(view.game, form);
      const anchor = document.createElement("a");
      anchor.href = URL.createObjectURL(new Blob([file.text], { type: "text/plain" }));
      anchor.download = file.name;
      anchor.click();
      setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
    } catch (error) {
      setSaid((error as Error).message);
    }
  };
  const read = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (!file) return;
    try {
      const form = about?.forms.find((f) => file.name.endsWith("." + f)) ?? { txt: "text", json: "jsonl" }[file.name.split(".").pop()!] ?? "jsonl";
      const v = await api.play("read", { form, text: await file.text() });
      open(v.game);
      setSaid(`Opened ${file.name}.`);
    } catch (error) {
      setSaid(`${file.name}: ${(error as Error).message}`);
    }
    input.value = "";
  };
  return (
    <div class="form">
      <label>
        The whole game is in this link
        <input readOnly value={link} onFocus={(e) => e.currentTarget.select()} />
      </label>
      <button type="button" class="primary" onClick={copy}>Copy the link</button>
      <p class="note">Save it as</p>
      <div class="actions">
        {(about?.forms ?? []).map((form) => (
          <button type="button" onClick={() => save(form)}>{formNames[form] ?? form}</button>
        ))}
      </div>
      <label>
        Open a record
        <input type="file" accept=".json,.jsonl,.txt,.rgn,.royalur" onChange={(e) => read(e.currentTarget)} />
      </label>
      <p class="note" role="status">{said}</p>
    </div>
  );
}
