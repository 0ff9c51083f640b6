// A game of two people by a link: the server throws the dice, and shows afterwards that it had
// chosen them before.

import { h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { Board, Lit } from "./board";
import { Dice } from "./dice";
import { after, colour, countsOf, other, rulesOf, type Span, winnerOf } from "./game";
import { usePhone } from "./layout";
import { MoveList } from "./moves";
import { keep, readJSON } from "./settings";
import { rollOf, sha256, hexBytes } from "./sha256";
import { copy, linkOf } from "./share";
import { signal } from "./sound";
import type { Shared, Side } from "./types";

/** Place is the seat that this browser has in a game. */
interface Place {
  token: string;
  side: Side;
}

const placeOf = (id: string) => readJSON<Place | null>("friend." + id, null);

function keepPlace(id: string, s: Shared): void {
  if (s.token && s.side) keep("friend." + id, JSON.stringify({ token: s.token, side: s.side }));
}

/** newToken is a secret of this browser for a seat: a repeated request gets the same seat. */
const newToken = () => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

export function Friend() {
  const [, id, me, pieces, rules] = /^#\/friend\/([^/]+)(?:\/(light|dark)\/(\d+)(?:\/([a-z0-9-]+))?)?$/.exec(location.hash) ?? [];
  if (id === "new") return <Create side={me as Side} pieces={Number(pieces)} rules={rules ?? ""} />;
  return <Game key={id} id={id} />;
}

/** Create asks for a new game and goes there. */
function Create({ side, pieces, rules }: { side: Side; pieces: number; rules: string }) {
  const [failed, setFailed] = useState("");
  useEffect(() => {
    const token = newToken();
    let gone = false;
    api.patient(() => api.friend("", "", { side, pieces, rules, token }), () => {}, () => gone).then((s) => {
      keepPlace(s.id, { ...s, token, side });
      location.replace("#/friend/" + s.id);
    }, (error) => setFailed(error.message));
    return () => void (gone = true);
  }, []);
  return failed ? <p class="refused" role="alert">{failed}</p> : <p class="note" role="status">Creating the game…</p>;
}

/** useShared follows a game. A lost connection is opened again, and the first event after it
 * has the whole state. */
function useShared(id: string) {
  const [game, setGame] = useState<Shared | null>(null);
  const [connected, setConnected] = useState(false);
  const [failed, setFailed] = useState("");
  const turns = useRef(-1);
  const take = (s: Shared) => {
    if (s.view.turns.length < turns.current) return; // it was overtaken
    const last = s.view.turns[s.view.turns.length - 1];
    if (turns.current >= 0 && s.view.turns.length > turns.current) signal(last);
    turns.current = s.view.turns.length;
    setGame(s);
  };
  useEffect(() => {
    let source: EventSource;
    let again: ReturnType<typeof setTimeout>;
    let gone = false;
    const listen = () => {
      source = api.friendEvents(id);
      source.onopen = () => setConnected(true);
      source.addEventListener("game", (e) => take(JSON.parse((e as MessageEvent).data) as Shared));
      source.onerror = () => {
        setConnected(false);
        if (source.readyState !== EventSource.CLOSED) return;
        // It was refused: a request gives the reason.
        api.friend(id, "show", {}).then(take, (error) => error instanceof api.Refused && setFailed(error.message));
        if (!gone) again = setTimeout(listen, 2000);
      };
    };
    listen();
    return () => {
      gone = true;
      clearTimeout(again);
      source.close();
    };
  }, [id]);
  return { game, connected, failed, take };
}

function Game({ id }: { id: string }) {
  const { game, connected, failed, take } = useShared(id);
  const [place, setPlace] = useState(() => placeOf(id));
  const [message, setMessage] = useState("");
  const [note, setNote] = useState("");
  const [waiting, setWaiting] = useState(false);
  const [sure, setSure] = useState(false);
  const [chosenTurn, setPast] = useState<number | null>(null);
  const [lit, setLit] = useState<Span | null>(null);
  const phone = usePhone();
  useEffect(() => setPast(null), [game?.view.turns.length]);
  if (failed && !game) return <p class="refused" role="alert">{failed}</p>;
  if (!game) return <p class="note" role="status">Connecting…</p>;
  const { view } = game;
  const past = chosenTurn !== null && chosenTurn < view.turns.length ? chosenTurn : null;
  const over = view.result !== "unfinished";
  /** send repeats a request until the server has answered it. Requests that were carried out
   * already, and whose answer was lost, are recognised by the server. */
  const send = async (verb: string, question: object) => {
    setWaiting(true);
    try {
      const s = await api.patient(() => api.friend(id, verb, question), (error) => setMessage(error ? "Connection lost; trying again…" : ""), () => false);
      take(s);
      return s;
    } catch (error) {
      setMessage((error as Error).message);
      return null;
    } finally {
      setWaiting(false);
    }
  };
  const join = async () => {
    const token = newToken();
    const s = await send("join", { token });
    if (!s?.side) return;
    keepPlace(id, { ...s, token });
    setPlace({ token, side: s.side });
  };
  /** rematch goes to the next game, in which the players have changed sides. */
  const rematch = async () => {
    const s = game.again ? game : await send("rematch", { token: place!.token });
    if (!s?.again) return;
    keep("friend." + s.again, JSON.stringify({ token: place!.token, side: other(place!.side) }));
    location.hash = "#/friend/" + s.again;
  };
  const mine = place !== null && !over && game.seats[0] && game.seats[1] && view.side === place.side && !waiting;
  const copyLink = async () => setNote(await copy(location.href));
  const move = (from: number) => send("move", { token: place!.token, turn: view.turns.length, from });
  const bottom = place?.side ?? "light";
  const n = view.turns.length;
  const at = past ?? n;
  const turn = past !== null ? view.turns[past] : undefined;
  const seat = (side: Side) => (
    <p class={"seat " + side + (!over && view.side === side ? " turn" : "")}>
      <span class="disc" aria-hidden="true" />
      <strong>{colour(side)}</strong> <span class="colour">{place?.side === side ? "you" : game.seats[side === "light" ? 0 : 1] ? "" : "free seat"}</span>
      {!over && view.side === side && <span class="marker">to move</span>}
    </p>
  );
  const winner = winnerOf(view);
  return (
    <Lit.Provider value={setLit}>
      <div class="play friend" data-turns={n} data-panel="">
        <section class="table" aria-label="The game">
          {seat(other(bottom))}
          <Board rules={rulesOf(view.rules)} counts={past === null ? countsOf(view.board) : after(view, past)} bottom={bottom} upright={phone} side={turn?.side ?? view.side}
            moves={mine && past === null ? view.moves : []} lit={lit} choose={mine && past === null ? move : undefined}
            last={n > 0 && past === null && view.turns[n - 1].from >= 0 ? view.turns[n - 1] : undefined}
            arrows={turn && turn.from >= 0 ? [{ ...turn, kind: "played" }] : []} />
          {seat(bottom)}
          <div class="tray">
            <Dice roll={turn?.roll ?? view.roll} tumbling={false} weights={view.rules?.dice} />
            <p class={"status" + (over ? " over" : "")} role="status">
              {over
                ? winner ? `${view.result.endsWith("resigned") ? colour(other(winner)) + " resigned. " : ""}${place?.side === winner ? "You" : colour(winner)} won.` : "The game was abandoned."
                : !game.seats[0] || !game.seats[1] ? "Waiting for the other player." : mine ? `You rolled ${view.roll}. Choose a piece.` : `${colour(view.side)} rolled ${view.roll}.`}
            </p>
          </div>
          {!connected && <p class="lost" role="status">Connection lost; trying again…</p>}
          {message && <p class="refused" role="alert">{message}</p>}
          <p class="said" role="status">{note}</p>
          <div class="actions" role="toolbar" aria-label="Game">
            {!place && !over && (!game.seats[0] || !game.seats[1]) && <button type="button" class="primary" onClick={join}>Take the free seat</button>}
            {place && !over && !(game.seats[0] && game.seats[1]) && <button type="button" class="primary" onClick={copyLink}>Copy the link</button>}
            {place && !over && (sure
              ? <button type="button" onClick={() => send("resign", { token: place.token })}>Really resign</button>
              : <button type="button" onClick={() => setSure(true)}>Resign</button>)}
            {place && sure && !over && <button type="button" onClick={() => setSure(false)}>Play on</button>}
            {over && place && game.seats[0] && game.seats[1] && <button type="button" class="primary" onClick={rematch}>{game.again ? "To the rematch" : "Rematch"}</button>}
            {over && !place && game.again && <a class="button" href={"#/friend/" + game.again}>Watch the rematch</a>}
            {over && <a class="button" href={linkOf(view.game)}>Analyse the game</a>}
          </div>
        </section>
        <aside class="side" aria-label="About the game">
          <div class="form">
            <label>
              Send this link to play or to watch
              <input readOnly value={location.href} onFocus={(e) => e.currentTarget.select()} />
            </label>
            <button type="button" onClick={copyLink}>Copy the link</button>
            <p class="note">{place ? `You play ${colour(place.side)}.` : "You watch."} {game.watching > 0 && `${game.watching} connected.`}</p>
          </div>
          <MoveList view={view} at={at} look={(t) => setPast(t >= n ? null : t)} open={() => {}} />
          {past !== null && <button type="button" onClick={() => setPast(null)}>Back to the game</button>}
          <Fairness game={game} />
        </aside>
      </div>
    </Lit.Provider>
  );
}

/** Fairness compares the secret of the dice, once it is shown, with its hash and the rolls. */
function Fairness({ game }: { game: Shared }) {
  if (!game.secret) {
    return (
      <details>
        <summary>Fair dice</summary>
        <p class="note">
          The server chose the secret of all rolls before the game. This is its SHA-256 hash; after the game the server shows the secret, and this page checks both.
        </p>
        <code class="hash">{game.commit}</code>
      </details>
    );
  }
  const secret = hexBytes(game.secret);
  const hash = sha256(secret) === game.commit;
  const wrong = game.view.turns.findIndex((t, i) => t.roll !== rollOf(secret, i, game.view.rules?.dice));
  return (
    <p class={"verified " + (hash && wrong < 0 ? "good" : "bad")}>
      {!hash ? "The secret of the dice does not have the hash that was shown before the game." : wrong >= 0 ? `Roll ${wrong + 1} does not come from the secret of the dice.`
        : `The dice were fair: all ${game.view.turns.length} rolls come from the secret that the server had committed to.`}
      <code class="hash">{game.secret}</code>
    </p>
  );
}
