// Matches that were started here, tournaments and training runs of the data folder, and a fleet.

import { h } from "preact";
import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import { Chart, wide } from "./chart";
import { newSeed, titleOf } from "./game";
import { PlayerChoice } from "./newgame";
import type { About, News, Run } from "./types";

/** useRuns listens to the server. */
function useRuns(): { runs: Run[]; connected: boolean } {
  const [runs, setRuns] = useState<Run[]>([]);
  const [connected, setConnected] = useState(false);
  useEffect(() => {
    let source: EventSource;
    let again: ReturnType<typeof setTimeout>;
    const listen = () => {
      source = new EventSource("api/events");
      source.onopen = () => setConnected(true);
      source.onerror = () => {
        setConnected(false);
        if (source.readyState === EventSource.CLOSED) again = setTimeout(listen, 3000); // it was refused
      };
      source.addEventListener("runs", (e) => {
        const news = JSON.parse((e as MessageEvent).data) as News;
        setRuns((before) => merge(news.whole ? [] : before, news));
      });
    };
    listen();
    return () => {
      clearTimeout(again);
      source.close();
    };
  }, []);
  return { runs, connected };
}

const order: Run["kind"][] = ["match", "tournament", "training", "fleet"];

/** merge puts news into what was known: by kind, and the newest match first. */
function merge(before: Run[], news: News): Run[] {
  const all = new Map(before.map((r) => [r.id, r]));
  for (const r of news.runs) all.set(r.id, r);
  for (const id of news.gone) all.delete(id);
  return [...all.values()].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.kind === "match" ? b.id.localeCompare(a.id) : a.id.localeCompare(b.id)));
}

export function Live({ about }: { about: About | null }) {
  const { runs, connected } = useRuns();
  return (
    <div class="live">
      <section class="card" aria-labelledby="begin-match">
        <h2 id="begin-match">Start a match</h2>
        <MatchForm about={about} />
      </section>
      {!connected && <p class="lost" role="status">Waiting for the server…</p>}
      {runs.map((r) => <RunCard key={r.id} run={r} />)}
      {connected && runs.length === 0 && <p class="note">Nothing is running.</p>}
      {about && !about.data && (
        <p class="note">
          This server watches no folder of tournaments and trainings.
        </p>
      )}
    </div>
  );
}

function MatchForm({ about }: { about: About | null }) {
  const [players, setPlayers] = useState<[string, string]>(["level:5", "level:4"]);
  const [games, setGames] = useState(1000);
  const [pieces, setPieces] = useState(7);
  const [refused, setRefused] = useState("");
  const begin = async (e: Event) => {
    e.preventDefault();
    try {
      await api.beginMatch({ players, games, pieces, seed: newSeed() });
      setRefused("");
    } catch (error) {
      setRefused((error as Error).message);
    }
  };
  return (
    <form class="form wide" onSubmit={begin}>
      <PlayerChoice label="First player" about={about} pieces={pieces} value={players[0]} people={false} choose={(name) => setPlayers((p) => [name, p[1]])} />
      <PlayerChoice label="Second player" about={about} pieces={pieces} value={players[1]} people={false} choose={(name) => setPlayers((p) => [p[0], name])} />
      <label>
        Games
        <select value={games} onChange={(e) => setGames(Number(e.currentTarget.value))}>
          {[100, 1000, 10000, 100000, 1000000].map((n) => <option value={n}>{n.toLocaleString("en")}</option>)}
        </select>
      </label>
      <label>
        Pieces
        <select value={pieces} onChange={(e) => setPieces(Number(e.currentTarget.value))}>
          {[7, 6, 5, 4, 3, 2, 1].map((n) => <option value={n}>{n}</option>)}
        </select>
      </label>
      <button type="submit" class="primary">Begin</button>
      {refused && <p class="refused" role="alert">{refused}</p>}
    </form>
  );
}

const states = { running: "running", done: "done", stopped: "stopped", failed: "failed", still: "nothing new" };

/** title names a run: a match by its players. */
const title = (r: Run) => (r.match ? r.match.players.map(titleOf).join(" against ") : r.title);

function RunCard({ run: r }: { run: Run }) {
  return (
    <section class="card run" aria-label={title(r)} data-state={r.state}>
      <header>
        <h2>{title(r)}</h2>
        <span class={"state " + r.state}>{states[r.state]}</span>
        {r.mine && r.state === "running" && (
          <button type="button" onClick={() => api.stopMatch(r.id).catch(() => {})}>Stop</button>
        )}
      </header>
      {r.total !== undefined && (
        <progress max={r.total} value={r.done} aria-label="games played">{r.done}</progress>
      )}
      {r.error && <p class="refused">{r.error}</p>}
      {r.match && <MatchChart run={r} />}
      {r.tournament && <Standings run={r} />}
      {r.training && <TrainingChart run={r} />}
      {r.fleet && <FleetTable run={r} />}
    </section>
  );
}

const count = (n: number) => n.toLocaleString("en");
const percent = (v: number) => `${(100 * v).toFixed(1)}%`;

function MatchChart({ run }: { run: Run }) {
  const m = { ...run.match!, players: run.match!.players.map(titleOf) };
  const last = m.points[m.points.length - 1];
  if (!last) return <p class="note">No game is over yet.</p>;
  const low = Math.max(0, Math.min(0.45, Math.floor(20 * Math.min(...m.points.slice(-100).map((p) => p.lo))) / 20));
  const high = Math.min(1, Math.max(0.55, Math.ceil(20 * Math.max(...m.points.slice(-100).map((p) => p.hi))) / 20));
  const fit = (v: number) => Math.min(high, Math.max(low, v));
  return (
    <div>
      <p class="score">
        <strong>{percent(last.score)}</strong> for {m.players[0]} <span class="note">(95% within {percent(last.lo)} to {percent(last.hi)}
        {m.elo !== null && `, ${m.elo >= 0 ? "+" : "−"}${Math.abs(m.elo).toFixed(0)} Elo`})</span>
      </p>
      <Chart label={`Score of ${m.players[0]} over the games, now ${percent(last.score)}`} width={wide()} x={[0, Math.max(run.total ?? 1, last.games)]} y={[low, high]} rule={0.5}
        format={(v) => `${Math.round(100 * v)}%`}
        lines={[{ name: m.players[0], points: m.points.map((p) => ({ x: p.games, y: p.score, lo: fit(p.lo), hi: fit(p.hi) })) }]} />
      <p class="note">
        {count(run.done)} games of {m.pieces} pieces: {count(m.wins[0])} won by {m.players[0]}, {count(m.wins[1])} by {m.players[1]};
        Light won {percent(m.light_wins / Math.max(1, run.done))}. Seed {m.seed}.
      </p>
    </div>
  );
}

function Standings({ run }: { run: Run }) {
  const t = run.tournament!;
  const low = Math.min(...t.players.map((p) => p.elo_lo));
  const high = Math.max(...t.players.map((p) => p.elo_hi));
  const at = (elo: number) => `${(100 * (elo - low)) / (high - low || 1)}%`;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Standings">
      <table>
        <thead>
          <tr><th scope="col">rank</th><th scope="col" class="words">player</th><th scope="col">Elo</th><th scope="col" class="words">95%</th><th scope="col">score</th><th scope="col">games</th></tr>
        </thead>
        <tbody>
          {t.players.map((p) => (
            <tr>
              <td>{p.rank}</td>
              <th scope="row">{titleOf(p.name)}</th>
              <td>{p.elo.toFixed(1)}</td>
              <td class="whisker">
                <span class="range" style={{ left: at(p.elo_lo), right: `calc(100% - ${at(p.elo_hi)})` }} />
                <span class="dot" style={{ left: at(p.elo) }} />
                <span class="hidden">{p.elo_lo.toFixed(1)} to {p.elo_hi.toFixed(1)}</span>
              </td>
              <td>{percent(p.score)}</td>
              <td>{count(p.games)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">{count(run.done)} of {count(run.total ?? 0)} games.</p>
    </div>
  );
}

function TrainingChart({ run }: { run: Run }) {
  const points = run.training!.points;
  const last = points[points.length - 1];
  if (!last) return <p class="note">Nothing was measured yet.</p>;
  const regrets = points.filter((p) => p.regret !== undefined && p.regret > 0);
  if (regrets.length > 0) {
    const logs = regrets.map((p) => ({ x: p.games, y: Math.log10(p.regret!) }));
    const y: [number, number] = [Math.floor(Math.min(...logs.map((p) => p.y))), Math.ceil(Math.max(...logs.map((p) => p.y)))];
    return (
      <Chart label={`Regret while learning, now ${last.regret} points`} width={wide()} x={[0, last.games]} y={y} whole lines={[{ name: "regret", points: logs }]}
        format={(v) => String(Number((10 ** v).toPrecision(2)))} />
    );
  }
  const lines = last.rivals.map((rival, i) => ({
    name: rival.name,
    points: points.map((p) => ({ x: p.games, y: p.rivals[i].rate, lo: p.rivals[i].lo, hi: p.rivals[i].hi })),
  }));
  return (
    <div>
      <Chart label={`Games won while learning: ${last.rivals.map((x) => `${percent(x.rate)} against ${x.name}`).join(", ")}`} width={wide()} x={[0, last.games]} y={[0, 1]}
        rule={0.5} lines={lines} format={(v) => `${Math.round(100 * v)}%`} />
      <ul class="legend">
        {last.rivals.map((x, i) => <li class={`series-${i % 4}`}>{percent(x.rate)} against {titleOf(x.name)}</li>)}
      </ul>
    </div>
  );
}

function FleetTable({ run }: { run: Run }) {
  const f = run.fleet!;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Workers">
      <table>
        <thead>
          <tr><th scope="col" class="words">worker</th><th scope="col">engine</th><th scope="col">at a time</th><th scope="col">pieces</th><th scope="col">a second</th></tr>
        </thead>
        <tbody>
          {(f.workers ?? []).map((w) => (
            <tr><th scope="row">{w.name}</th><td>{w.machine.engine}</td><td>{w.parallel}</td><td>{count(w.pieces)}</td><td>{w.rate.toPrecision(3)}</td></tr>
          ))}
        </tbody>
      </table>
      {(f.queue ?? []).map((q) => (
        <p class="note">Version {q.code.slice(0, 20)}: {count(q.waiting)} pieces wait, {count(q.held)} are being computed by {q.workers} workers.</p>
      ))}
    </div>
  );
}
