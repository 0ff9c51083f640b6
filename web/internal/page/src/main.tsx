// The page: its head, and one of its rooms.

import { h, render } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import * as api from "./api";
import { Editor } from "./editor";
import { Friend } from "./friend";
import { setTitles } from "./game";
import { Games } from "./games";
import { Intro, isNew } from "./intro";
import { LadderView } from "./ladder";
import { Live } from "./live";
import { Play } from "./play";
import { Puzzles } from "./puzzles";
import { Rules } from "./rules";
import { keep, read } from "./settings";
import { linked, useTable } from "./table";
import type { About } from "./types";

type Room = "play" | "puzzles" | "editor" | "games" | "live" | "ladder" | "rules" | "friend";

const names: Partial<Record<Room, string>> = {
  play: "Play", puzzles: "Puzzles", editor: "Editor", games: "Games", live: "Live", ladder: "Ladder", rules: "Rules",
};

/** room returns the room that the address names. */
function room(): Room {
  const name = /^#\/([a-z]+)(\/|$)/.exec(location.hash)?.[1] as Room;
  return name === "friend" || names[name] ? name : "play";
}

/** useRoom returns the room of the address, and draws the page again when the address changes. */
function useRoom(): Room {
  const [, setHash] = useState(location.hash);
  useLayoutEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return room();
}

function useAbout(): About | null {
  const [about, setAbout] = useState<About | null>(null);
  useEffect(() => {
    let gone = false;
    api.patient(api.about, () => {}, () => gone).then((about) => {
      setTitles(about.players);
      setAbout(about);
    }, () => {});
    return () => void (gone = true);
  }, []);
  return about;
}

/** useTheme is the choice between light and dark, if the user has made one. */
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
  const about = useAbout();
  const table = useTable();
  const turn = useTheme();
  const rooms = (Object.keys(names) as Room[]).filter((name) => name !== "live" || !about || about.server);
  useEffect(() => {
    if (now !== "play") setIntro(false);
  }, [now]);
  useEffect(() => document.querySelector("nav [aria-current]")?.scrollIntoView({ inline: "nearest", block: "nearest" }), [now]);
  const home = table.view ? "#/g/" + table.view.game : "#/";
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); document.getElementById("main")!.focus(); }}>To the game</a>
      <header class="head">
        <img src="icon.svg" alt="" width="36" height="36" />
        <h1>The Royal Game of Ur</h1>
        <nav aria-label="Rooms">
          {rooms.map((name) => (
            <a key={name} href={name === "play" ? home : "#/" + name} aria-current={name === now ? "page" : undefined}>{names[name]}</a>
          ))}
        </nav>
        <button type="button" class="theme" onClick={turn} aria-label="Change between light and dark">◐</button>
      </header>
      <main id="main" tabIndex={-1}>
        {now === "play" && (intro ? <Intro close={() => setIntro(false)} /> : <Play table={table} about={about} />)}
        {now === "puzzles" && <Puzzles />}
        {now === "editor" && <Editor table={table} about={about} />}
        {now === "games" && <Games about={about} />}
        {now === "friend" && <Friend key={location.hash} />}
        {now === "live" && <Live about={about} />}
        {now === "ladder" && <LadderView />}
        {now === "rules" && <Rules about={about} introduce={() => { setIntro(true); location.hash = "#/"; }} />}
      </main>
      <footer class="foot">ur {about?.version}</footer>
    </div>
  );
}

if (api.alone) navigator.serviceWorker?.register("sw.js").catch(() => {}); // it only makes the page work offline

const place = document.getElementById("page")!;
place.textContent = "";
render(<Page />, place);
