// The page: its head, and one of its rooms.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import { setTitles } from "./game";
import { isNew } from "./history";
import { useEvent } from "./layout";
import { Play } from "./play";
import { keep, read } from "./settings";
import { linked, useAnswer, useTable } from "./table";
import type { About } from "./types";

type Room = "play" | "puzzles" | "editor" | "games" | "rules" | "friend";

const names: Partial<Record<Room, string>> = { play: "Play", puzzles: "Puzzles", editor: "Editor", games: "Games", rules: "Rules" };

/** useRoom returns the room of the address, and draws the page again when the address changes. */
function useRoom(): Room {
  const [hash, setHash] = useState(location.hash);
  useEvent(window, "hashchange", () => setHash(location.hash));
  const name = /^#\/([a-z]+)(\/|$)/.exec(hash)?.[1] as Room;
  return name === "friend" || names[name] ? name : "play";
}

/** askAbout asks about the program, and stores the names of its players. */
async function askAbout(): Promise<About> {
  const about = await api.about();
  setTitles(about.rules.flatMap((r) => r.players ?? []));
  return about;
}

/** useTheme returns the function that changes between light and dark. */
function useTheme(): () => void {
  const [theme, setTheme] = useState(() => read("theme"));
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return () => {
    const dark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    const next = dark ? "light" : "dark";
    setTheme(next);
    keep("theme", next);
  };
}

function Page() {
  const now = useRoom();
  const [intro, setIntro] = useState(() => now === "play" && isNew() && (linked() === "" || linked() === read("game")));
  const { answer: about } = useAnswer("about", true, askAbout);
  const table = useTable();
  const turn = useTheme();
  const { answer: rest } = useAnswer("rest", about !== null || intro || now !== "play", () => import("./rest")); // behind the board
  useEffect(() => {
    if (now !== "play") setIntro(false);
  }, [now]);
  const home = table.view ? "#/g/" + table.view.game : "#/";
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); document.getElementById("main")!.focus(); }}>To the game</a>
      <header class="head">
        <img src="icon.svg" alt="" width="36" height="36" />
        <h1>The Royal Game of Ur</h1>
        <nav aria-label="Rooms">
          {(Object.keys(names) as Room[]).map((name) => (
            <a key={name} href={name === "play" ? home : "#/" + name} aria-current={name === now ? "page" : undefined}>{names[name]}</a>
          ))}
        </nav>
        <button type="button" class="theme" onClick={turn} aria-label="Change between light and dark">◐</button>
      </header>
      <main id="main" tabIndex={-1}>
        {now === "play" && !intro ? <Play table={table} about={about} rest={rest} /> : !rest ? <p class="note" role="status">Loading…</p>
          : now === "puzzles" ? <rest.Puzzles />
          : now === "editor" ? <rest.Editor table={table} about={about} />
          : now === "games" ? <rest.Games about={about} />
          : now === "friend" ? <rest.Friend key={location.hash} home={table} about={about} rest={rest} />
          : now === "rules" ? <rest.Rules about={about} introduce={() => { setIntro(true); location.hash = "#/"; }} />
          : <rest.Intro close={() => setIntro(false)} />}
      </main>
      <footer class="foot">ur {about?.version}</footer>
    </div>
  );
}

if (api.alone) navigator.serviceWorker?.register("sw.js").catch(() => {}); // it only makes the page work offline

const place = document.getElementById("page")!;
place.textContent = "";
render(<Page />, place);
