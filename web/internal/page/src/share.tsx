// Saving a game, copying it, and opening another.

import { useState } from "preact/hooks";
import * as api from "./api";
import type { About, View } from "./types";

const formNames: Record<string, string> = { jsonl: "JSON of ur", text: "text", rgn: "RGN", royalur: "JSON of RoyalUr" };

/** save offers a text as a file. */
export function save(name: string, text: string): void {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

/** copy puts a text on the clipboard, and returns a message for the user. */
export async function copy(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    return "The browser does not allow the page to copy: select the text instead.";
  }
}

export const linkOf = (game: string) => location.href.split("#")[0] + "#/g/" + game;

export function CopyBox({ label, text, button }: { label: string; text: string; button: string }) {
  const [note, setNote] = useState("");
  return (
    <>
      <label>{label} <input readOnly value={text} onFocus={(e) => e.currentTarget.select()} /></label>
      <button type="button" onClick={async () => setNote(await copy(text))}>{button}</button>
      {note && <p class="note" role="status">{note}</p>}
    </>
  );
}

/** useReport returns a message, and a function that sets it to the result of an action, or to its
 * failure behind a heading. */
function useReport(): [string, (heading: string, act: () => Promise<string>) => Promise<void>] {
  const [message, setMessage] = useState("");
  return [message, async (heading, act) => setMessage(await act().catch((error) => heading + error.message))];
}

export function ShareBox({ view, about, open }: { view: View; about: About | null; open(game: string): void }) {
  const [message, report] = useReport();
  const withText = (act: (name: string, text: string) => unknown) => (form: string) => report("", async () => {
    const file = await api.textOf(view.game, form);
    return String((await act(file.name, file.text)) ?? "");
  });
  const saveAs = withText(save);
  const copyAs = withText((_, text) => copy(text));
  return (
    <div class="form">
      <CopyBox label="The link holds the whole game" text={linkOf(view.game)} button="Copy the link" />
      <p class="note">Save or copy the record</p>
      <table class="records">
        <tbody>
          {(about?.forms ?? []).map((form) => (
            <tr>
              <th scope="row">{formNames[form] ?? form}</th>
              <td><button type="button" aria-label={"Save as " + (formNames[form] ?? form)} onClick={() => saveAs(form)}>Save</button></td>
              <td><button type="button" aria-label={"Copy as " + (formNames[form] ?? form)} onClick={() => copyAs(form)}>Copy</button></td>
            </tr>
          ))}
        </tbody>
      </table>
      <OpenBox open={open} />
      <p class="note" role="status">{message}</p>
    </div>
  );
}

/** OpenBox opens a record, a position under a rule set, or a link that is pasted, or a file. */
export function OpenBox({ rules, open }: { rules?: string; open(game: string): void }) {
  const [text, setText] = useState("");
  const [message, report] = useReport();
  const read = (text: string, name: string) => report(name + ": ", async () => {
    open((await api.play("read", { rules, text: text.trim() + "\n" })).game);
    setText("");
    return `Opened ${name}.`;
  });
  const file = async (input: HTMLInputElement) => {
    const chosen = input.files?.[0];
    if (chosen) await read(await chosen.text(), chosen.name);
    input.value = "";
  };
  return (
    <form class="form" onSubmit={(e) => { e.preventDefault(); void read(text, "the text"); }}>
      <label>
        Paste a record, a position or a link
        <textarea class="paste" rows={3} value={text} onInput={(e) => setText(e.currentTarget.value)} />
      </label>
      <button type="submit" disabled={text.trim() === ""}>Open the text</button>
      <label>
        Open a file
        <input type="file" accept=".json,.jsonl,.txt,.rgn,.royalur" onChange={(e) => file(e.currentTarget)} />
      </label>
      <p class="note" role="status">{message}</p>
    </form>
  );
}
