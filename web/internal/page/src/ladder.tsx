// The ladder: the measured speed of the engines.

import { h } from "preact";
import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import type { Ladder, LadderRecord } from "./types";

export function LadderView() {
  const [ladder, setLadder] = useState<Ladder | null>(null);
  const [failed, setFailed] = useState("");
  const [which, setWhich] = useState(0);
  useEffect(() => void api.ladder().then(setLadder, (error) => setFailed(error.message)), []);
  if (failed) return <p class="refused" role="alert">{failed}</p>;
  if (!ladder) return <p class="note" role="status">Reading the records…</p>;
  if (ladder.records.length === 0) {
    return <p class="note">There are no records of engines.</p>;
  }
  const r = ladder.records[Math.min(which, ladder.records.length - 1)];
  return (
    <div class="ladder">
      <section class="card">
        <h2>The ladder of engines</h2>
        <p>
          Every engine plays the same games, bit for bit. The speedup is over <code>{r.baseline}</code>, the plainest of them.
        </p>
        {ladder.records.length > 1 && (
          <label class="pick">
            Processor
            <select value={which} onChange={(e) => setWhich(Number(e.currentTarget.value))}>
              {ladder.records.map((x, i) => <option value={i}>{x.name}</option>)}
            </select>
          </label>
        )}
        <Rungs record={r} />
        <p class="note">{r.name}, one core, {r.date.slice(0, 10)}, {r.made}.</p>
      </section>
      {r.plots.map((p) => (
        <figure class="card plot">
          <img src={api.plot(p.file)} alt={p.alt} loading="lazy" />
        </figure>
      ))}
    </div>
  );
}

function Rungs({ record: r }: { record: LadderRecord }) {
  const most = Math.log(Math.max(...r.rows.map((x) => x.faster), 2));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Engines">
      <table>
        <thead>
          <tr><th scope="col" class="words">engine</th><th scope="col">µs/game</th><th scope="col" class="wide-only">games/s</th><th scope="col">speedup</th><td class="wide-only" /></tr>
        </thead>
        <tbody>
          {r.rows.map((x) => (
            <tr>
              <th scope="row">{x.engine}</th>
              <td>{x.game.toPrecision(3)}</td>
              <td class="wide-only">{Math.round(1e6 / x.game).toLocaleString("en")}</td>
              <td>×{Number(x.faster.toPrecision(3))}</td>
              <td class="rung wide-only"><span style={{ width: `${Math.max(1, (100 * Math.log(x.faster)) / most)}%` }} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
