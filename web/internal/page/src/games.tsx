// Your games: the games that were finished in this browser, and their statistics.

import { useState } from "preact/hooks";
import { Chart, wide } from "./chart";
import { indexOf, titleOf } from "./game";
import { type Finished, games, levelOf, regretOf, store } from "./history";
import { save } from "./share";
import type { About } from "./types";

export function Games({ about }: { about: About | null }) {
  const [list, setList] = useState(games);
  const change = (next: Finished[]) => {
    store(next);
    setList(next);
  };
  if (list.length === 0) return <p class="note">Games that you finish are kept here, in this browser only. There is none yet.</p>;
  return (
    <div class="games">
      <section class="card">
        <h2>How you play</h2>
        <Strength list={list.filter((g) => !g.rules)} about={about} />
        <Opponents list={list} />
      </section>
      <section class="card">
        <h2>Your games</h2>
        <div class="scroll" tabIndex={0} role="region" aria-label="Games">
          <table>
            <thead>
              <tr><th scope="col" class="words">date</th><th scope="col" class="words">against</th><th scope="col">result</th><th scope="col">turns</th><th scope="col">lost a move</th><td /></tr>
            </thead>
            <tbody>
              {[...list].reverse().map((g) => (
                <tr>
                  <th scope="row"><a href={"#/g/" + g.game}>{g.date.slice(0, 10)}</a></th>
                  <td class="words">{opponent(g)}</td>
                  <td>{g.side === null ? (g.winner ?? "–") : g.winner === g.side ? "won" : "lost"}</td>
                  <td>{g.turns}</td>
                  <td>{g.regret?.toFixed(2) ?? "–"}</td>
                  <td><button type="button" aria-label={`Delete the game of ${g.date.slice(0, 10)}, ${g.turns} turns`} onClick={() => change(games().filter((x) => x.game !== g.game))}>✕</button></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <div class="actions">
          <button type="button" onClick={() => save("games.json", JSON.stringify(list, null, 1) + "\n")}>Export</button>
          <button type="button" onClick={() => confirm(`Delete all ${list.length} games?`) && change([])}>Delete all</button>
        </div>
        <p class="note">They are kept in this browser only, at most 500.</p>
      </section>
    </div>
  );
}

const opponent = (g: Finished) =>
  (g.side === null ? "a person beside you" : g.players[0] === g.players[1] ? "a friend, by a link" : titleOf(g.players[1 - indexOf(g.side)])) + (g.rules ? `, ${g.rules}` : "");

/** Strength compares the regret of games under Finkel's rules with that of the levels, which were
 * measured under them. */
function Strength({ list, about }: { list: Finished[]; about: About | null }) {
  const judged = list.filter((g) => g.regret !== undefined);
  const regret = regretOf(list);
  if (judged.length === 0) return <p class="note">No game was analysed yet: open one, and its Analysis.</p>;
  const levels = about?.levels ?? [];
  const points = judged.map((g, i) => ({ x: i + 1, y: g.regret! }));
  const most = Math.max(2, ...points.map((p) => p.y));
  return (
    <div>
      {regret && levels.length > 0
        ? <p class="score">You play like <strong>level {levelOf(regret.value, levels).toFixed(1)}</strong> <span class="note">(95% within {levelOf(regret.hi, levels).toFixed(1)} to {levelOf(regret.lo, levels).toFixed(1)}): {regret.value.toFixed(2)} points lost a move, in {judged.length} games</span></p>
        : <p class="note">After three analysed games the page compares you with the levels.</p>}
      {points.length > 1 && (
        <Chart label={`Points lost a move in ${points.length} games, in the last ${points[points.length - 1].y.toFixed(2)}`} width={wide()} x={[1, points.length]} y={[0, most]}
          format={String} points={points} />
      )}
    </div>
  );
}

function Opponents({ list }: { list: Finished[] }) {
  const by = Map.groupBy(list.filter((g) => g.side), opponent);
  return (
    <table>
      <thead>
        <tr><th scope="col" class="words">opponent</th><th scope="col">games</th><th scope="col">won</th><th scope="col">lost a move</th></tr>
      </thead>
      <tbody>
        {[...by].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true })).map(([name, all]) => {
          const judged = all.filter((g) => g.regret !== undefined);
          return (
            <tr>
              <th scope="row">{name}</th>
              <td>{all.length}</td>
              <td>{all.filter((g) => g.winner === g.side).length}</td>
              <td>{judged.length ? (judged.reduce((sum, g) => sum + g.regret!, 0) / judged.length).toFixed(2) : "–"}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
