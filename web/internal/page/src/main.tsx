// The page: its head, and one of its four rooms.

import { h, render } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import * as api from "./api";
import { LadderView } from "./ladder";
import { Live } from "./live";
import { Play } from "./play";
import { Rules } from "./rules";
import { useTable } from "./table";
import type { About } from "./types";

type Room = "play" | "live" | "ladder" | "rules";

const names: Record<Room, string> = { play: "Play", live: "Live", ladder: "Ladder", rules: "Rules" };

/** room returns the room that the address names. */
function room(): Room {
  const name = /^#\/(live|ladder|rules)$/.exec(location.hash)?.[1];
  return (name as Room) ?? "play";
}

function useRoom(): Room {
  const [now, setNow] = useState(room);
  useLayoutEffect(() => {
    const changed = () => setNow(room());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return now;
}

function useAbout(): About | null {
  const [about, setAbout] = useState<About | null>(null);
  useEffect(() => {
    let gone = false;
    api.patient(api.about, () => {}, () => gone).then(setAbout, () => {});
    return () => void (gone = true);
  }, []);
  return about;
}

/** useTheme is the choice between light and dark, where somebody has made one. */
function useTheme(): () => void {
  const [theme, setTheme] = useState(() => {
    try {
      return localStorage.getItem("ur.theme") ?? "";
    } catch {
      return "";
    }
  });
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return () => {
    const dark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    const next = dark ? "light" : "dark";
    setTheme(next);
    try {
      localStorage.setItem("ur.theme", next);
    } catch {
      // Only this page knows then.
    }
  };
}

function Page() {
  const now = useRoom();
  const about = useAbout();
  const table = useTable();
  const turn = useTheme();
  const rooms: Room[] = about && !about.server ? ["play", "ladder", "rules"] : ["play", "live", "ladder", "rules"];
  const home = table.view ? "#/g/" + table.view.game : "#/";
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); document.getElementById("main")!.focus(); }}>To the game</a>
      <header class="head">
        <img src="icon.svg" alt="" width="36" height="36" />
        <h1>The Royal Game of Ur</h1>
        <nav aria-label="Rooms">
          {rooms.map((name) => (
            <a href={name === "play" ? home : "#/" + name} aria-current={name === now ? "page" : undefined}>{names[name]}</a>
          ))}
        </nav>
        <button type="button" class="theme" onClick={turn} aria-label="Change between light and dark">◐</button>
      </header>
      <main id="main" tabIndex={-1}>
        {now === "play" && <Play table={table} about={about} />}
        {now === "live" && <Live about={about} />}
        {now === "ladder" && <LadderView />}
        {now === "rules" && <Rules />}
      </main>
      <footer class="foot">ur {about?.version}</footer>
    </div>
  );
}

const place = document.getElementById("page")!;
place.textContent = "";
render(<Page />, place);
