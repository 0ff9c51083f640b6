// A game of two people by a link: the table of the page, with the server of the game as the source
// of its moves.

import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { hexBytes, type Place, sha256, type Verdict, witness } from "./fair";
import { colour, indexOf, other } from "./game";
import { Play } from "./play";
import type { Game, Link } from "./scene";
import { keep, readJSON } from "./settings";
import { copy, CopyBox, linkOf } from "./share";
import { type Table, useAnswer, useTurns } from "./table";
import type { Shared, Side, View } from "./types";

const placeOf = (id: string) => readJSON<Place | null>("friend." + id, null);
const keepPlace = (id: string, place: Place | null) => keep("friend." + id, JSON.stringify(place));

/** random is a number of 128 bits that nobody can guess, in hexadecimal digits. */
const random = () => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

/** newPlace is a seat with the secret that holds it, and the number for the dice. */
const newPlace = (side: Side, token = random()): Place => ({ token, side, nonce: random() });

const hashOf = (place: Place) => sha256(hexBytes(place.nonce));

const newAddress = (side: Side, pieces: number, rules: string) => `#/friend/new/${side}/${pieces}` + (rules ? "/" + rules : "");

interface Props extends Omit<Game, "table" | "link"> {
  home: Table; // the table of games against programs
}

export function Friend(props: Props) {
  const [, id, me, pieces, rules] = /^#\/friend\/([^/]+)(?:\/(light|dark)\/(\d+)(?:\/([a-z0-9-]+))?)?$/.exec(location.hash) ?? [];
  if (id === "new") return <Create side={me as Side} pieces={Number(pieces)} rules={rules ?? ""} />;
  return <FriendGame key={id} id={id} {...props} />;
}

function Create({ side, pieces, rules }: { side: Side; pieces: number; rules: string }) {
  const [place] = useState(() => newPlace(side));
  const question = { side, pieces, rules, token: place.token, hash: hashOf(place) };
  const create = async () => {
    const s = await api.friend("", "", question);
    keepPlace(s.id, place);
    location.replace("#/friend/" + s.id);
  };
  const { why } = useAnswer("new", true, create);
  return why ? <p class="refused" role="alert">{why}</p> : <p class="note" role="status">Creating the game…</p>;
}

/** useEvents follows a game. A lost connection is opened again, and the first event after it has
 * the whole state. A game that the server does not know any more is gone. */
function useEvents(id: string, take: (s: Shared) => void) {
  const [connected, setConnected] = useState(false);
  const [gone, setGone] = useState("");
  const taker = useRef(take);
  taker.current = take;
  useEffect(() => {
    let source: EventSource;
    let again: ReturnType<typeof setTimeout>;
    let left = false;
    const listen = () => {
      source = api.friendEvents(id);
      source.onopen = () => setConnected(true);
      source.addEventListener("game", (e) => taker.current(JSON.parse((e as MessageEvent).data) as Shared));
      source.onerror = async () => {
        setConnected(false);
        if (source.readyState !== EventSource.CLOSED || left) return;
        try { // it was refused: a request gives the reason
          taker.current(await api.friend(id, "show", {}));
        } catch (error) {
          if (error instanceof api.Refused) return setGone(error.message);
        }
        if (!left) again = setTimeout(listen, 2000);
      };
    };
    listen();
    return () => {
      left = true;
      clearTimeout(again);
      source.close();
    };
  }, [id]);
  return { connected, gone };
}

function useFriend(id: string, home: Table) {
  const [state, setState] = useState<Shared | null>(null);
  const [place, setPlace] = useState(() => placeOf(id));
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [refused, setRefused] = useState("");
  const [lost, setLost] = useState("");
  const [waiting, setWaiting] = useState(false);
  const [following, setFollowing] = useState(false);
  const { onBoard, follow } = useTurns();
  const last = useRef<Shared | null>(null);
  const viewOf = (s: Shared, side?: Side): View => ({ ...s.view, you: side, moves: s.view.side === side ? s.view.moves : [] });
  const take = async (s: Shared, at = place) => {
    setVerdict(witness(s, at));
    const before = last.current;
    if (before && s.version < before.version) return; // it was overtaken
    last.current = s;
    setState(s);
    const n = s.view.turns.length;
    if (before && n === before.view.turns.length) return;
    setFollowing(true);
    const current = () => last.current?.view.turns.length === n;
    await follow(viewOf(s, at?.side), before ? before.view.turns.length : n, current);
    if (current()) setFollowing(false);
  };
  const { connected, gone } = useEvents(id, take);
  /** send repeats a request until the server has answered it. Requests that were carried out
   * already, and whose answer was lost, are recognised by the server. */
  const send = async (verb: string, question: object, at = place): Promise<Shared | null> => {
    setWaiting(true);
    setRefused("");
    try {
      const s = await api.patient(() => api.friend(id, verb, { token: at!.token, ...question }), (error) => setLost(error ? error.message : ""), () => false);
      void take(s, at);
      return s;
    } catch (error) {
      setRefused((error as Error).message);
      return null;
    } finally {
      setWaiting(false);
    }
  };
  const over = state !== null && state.view.result !== "unfinished";
  const given = (side: Side) => state!.nonces[indexOf(side)] !== "";
  const first = state?.first === place?.side;
  const asks = state !== null && place !== null && !over && !gone && verdict?.fair !== "bad" && !given(place.side) && (!first || given(other(place.side)));
  useEffect(() => {
    if (asks) void (first ? send("reveal", { nonce: place.nonce }) : claim(place));
  }, [asks]);
  /** claim joins the game with a place. It is stored before the request, whose answer may be lost. */
  const claim = async (mine: Place) => {
    keepPlace(id, mine);
    const seated = (await send("join", { nonce: mine.nonce }, mine)) ? mine : null;
    if (!seated) keepPlace(id, null);
    setPlace(seated);
  };
  const join = () => claim(newPlace(other(state!.first)));
  /** rematch goes to the next game, in which the players have changed sides. Its place is stored
   * before the request: the server may have its hash although the answer was lost. */
  const rematch = async () => {
    const pending = "after." + id;
    const mine = placeOf(pending) ?? newPlace(other(place!.side), place!.token);
    keepPlace(pending, mine);
    const s = state!.again ? state! : await send("rematch", { hash: hashOf(mine) });
    if (!s?.again) return;
    if (!placeOf(s.again)) keepPlace(s.again, mine);
    keepPlace(pending, null);
    location.hash = "#/friend/" + s.again;
  };
  const table: Table = {
    ...onBoard, view: state && viewOf(state, place?.side), busy: waiting || following, refused, lost: gone || connected ? lost : "no connection",
    ask: (verb, question = {}) => void send(verb, { turn: state!.view.turns.length, ...question }),
    begin: (setup) => { home.begin(setup); location.hash = "#/"; },
    open: (game) => { home.open(game); location.hash = "#/g/" + game; },
  };
  return { state, place, verdict, gone, over, table, join, rematch };
}

function FriendGame({ id, home, about, rest }: Props & { id: string }) {
  const { state, place, verdict, gone, over, table, join, rematch } = useFriend(id, home);
  const fresh = (s: Shared | null) => newAddress(place?.side ?? "light", s?.view.pieces ?? 7, s?.view.rules?.name ?? "");
  const ended = gone && (
    <p class="refused" role="alert">
      This game is gone: {gone}. <a href={fresh(state)}>New game by a link</a>
      {state && <> <a href={linkOf(state.view.game)}>Keep the moves so far</a></>}
    </p>
  );
  if (!state) return ended || <p class="note" role="status">Connecting…</p>;
  const full = state.seats[0] && state.seats[1];
  const link: Link = {
    playing: place !== null && !over && !gone,
    waits: over ? "" : !full ? "Waiting for the other player." : state.view.roll === null ? "Waiting for the numbers of both players." : "",
    seat: (side) => (state.seats[indexOf(side)] ? "" : "free seat"),
    alert: ended || (verdict?.fair === "bad" && <p class="refused" role="alert">{verdict.text}</p>),
    actions: (
      <>
        {!place && !over && !full && <button type="button" class="primary" onClick={join}>Take the free seat</button>}
        {place && !over && !full && <button type="button" class="primary" onClick={() => copy(location.href)}>Copy the link</button>}
        {over && place && full && !gone && <button type="button" class="primary" onClick={rematch}>{state.again ? "Accept the rematch" : "Rematch"}</button>}
        {over && !place && state.again && <a class="button" href={"#/friend/" + state.again}>Watch the rematch</a>}
      </>
    ),
    panel: (
      <div class="form">
        <CopyBox label="Send this link to play or to watch" text={location.href} button="Copy the link" />
        <Reach />
        <p class="note" role="status">
          {place ? `You play ${colour(place.side)}.` : "You watch."} {state.watching > 0 && `${state.watching} connected.`} {over && state.again && "Your opponent offers a rematch."}
        </p>
        {verdict && <Fairness verdict={verdict} state={state} />}
      </div>
    ),
  };
  return <Play table={table} about={about} rest={rest} link={link} />;
}

/** Reach tells how a friend can open the link, where no other machine can. */
function Reach() {
  if (!/^(localhost|127\..*|\[::1\])$/.test(location.hostname)) return null;
  return (
    <p class="note reach">
      Only this computer can open this link. To play with another one, start the page with <code>ur serve --addr 0.0.0.0:{location.port}</code> and
      open it by the address of this computer in your network, or put it behind a server with a name and add <code>--host NAME</code>.
    </p>
  );
}

/** Fairness shows what this browser knows about the dice. */
function Fairness({ verdict, state: s }: { verdict: Verdict; state: Shared }) {
  const rows = [["Hash of the server's secret", s.commit], ["Secret", s.secret ?? ""], [`Hash of ${colour(s.first)}'s number`, s.hash], ["Light's number", s.nonces[0]], ["Dark's number", s.nonces[1]]];
  return (
    <details class={"verified " + verdict.fair} open={verdict.fair !== "open"}>
      <summary>{verdict.fair === "bad" ? "Unfair dice" : "Fair dice"}</summary>
      <p>{verdict.text}</p>
      {rows.map(([name, digits]) => digits && <p class="note">{name} <code class="hash">{digits}</code></p>)}
    </details>
  );
}
