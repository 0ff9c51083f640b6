// The check of the dice of a game by a link: the first hashes and numbers that this browser saw
// are kept, and everything later is compared with them. The package comment of
// web/internal/friend has the protocol.

import { sides } from "./game";
import { keep, readJSON } from "./settings";
import { hexBytes, rollOf, sha256 } from "./sha256";
import type { Place, Shared } from "./types";

/** Seen is what this browser saw first of a game. */
interface Seen {
  version: number; // of the last state
  first: string; // side whose nonce comes last
  commit: string;
  hash: string;
  nonces: string[];
  rolls: number[];
  bad: string; // the first fault, or ""
}

/** Verdict is what a browser knows about the dice of a game. */
export interface Verdict {
  fair: "open" | "good" | "bad"; // open until the end
  text: string;
}

/** fault compares a state with what was seen before, adds to that what is new, and returns what is
 * wrong, or "". */
function fault(seen: Seen, s: Shared, place: Place | null): string {
  if (s.commit !== seen.commit) return "The server has exchanged the hash of its secret.";
  if (s.hash !== seen.hash || s.first !== seen.first) return "The hash of the first player's number has been exchanged.";
  for (const [i, side] of sides.entries()) {
    const nonce = s.nonces[i];
    if (place?.side === side && nonce !== "" && nonce !== place.nonce) return "The number of this browser has been exchanged.";
    if (seen.nonces[i] !== "" && nonce !== seen.nonces[i]) return `The number of ${side} has been exchanged.`;
    if (side === s.first && nonce !== "" && sha256(hexBytes(nonce)) !== seen.hash) return "The first player's number does not have the hash that was shown before.";
    seen.nonces[i] = nonce;
  }
  const rolls = s.view.turns.map((t) => t.roll).concat(s.view.roll ?? []);
  if (rolls.length > 0 && seen.nonces.includes("")) return "The dice were thrown before both players had given their numbers.";
  const changed = seen.rolls.findIndex((roll, i) => i < rolls.length && roll !== rolls[i]);
  if (changed >= 0 || s.view.turns.length < seen.rolls.length - 1) return `Roll ${changed + 1} has been changed.`;
  if (rolls.length > seen.rolls.length) seen.rolls = rolls;
  return "";
}

/** unproven returns what is wrong with the rolls of a game that is over, or "". */
function unproven(seen: Seen, s: Shared): string {
  if (!s.secret) return "The server does not show its secret: the rolls cannot be checked.";
  if (sha256(hexBytes(s.secret)) !== seen.commit) return "The secret of the server does not have the hash that was shown before the game.";
  const source = hexBytes(s.secret + seen.nonces.join(""));
  const wrong = seen.rolls.findIndex((roll, i) => roll !== rollOf(source, i, s.view.rules?.dice));
  return wrong < 0 ? "" : `Roll ${wrong + 1} does not come from the secret and the numbers of the players.`;
}

/** witness takes note of a state of a game, and returns what it knows about the dice. It is called
 * with every state, before this browser answers it with its number. */
export function witness(s: Shared, place: Place | null): Verdict {
  const fresh: Seen = { version: 0, first: s.first, commit: s.commit, hash: s.hash, nonces: ["", ""], rolls: [], bad: "" };
  const seen = readJSON<Seen>("fair." + s.id, fresh);
  const over = s.view.result !== "unfinished" && s.version >= seen.version;
  if (s.version >= seen.version) { // otherwise another window has seen more
    seen.bad ||= fault(seen, s, place) || (over && seen.rolls.length > 0 ? unproven(seen, s) : "");
    seen.version = s.version;
  }
  keep("fair." + s.id, JSON.stringify(seen));
  if (seen.bad) return { fair: "bad", text: "The dice were not fair. " + seen.bad };
  if (!over) return { fair: "open", text: "Each roll comes from a secret of the server and a random number of each player. Nobody knew all of them in time to choose. After the game this page checks every roll." };
  if (seen.rolls.length === 0) return { fair: "good", text: "No dice were thrown." };
  return { fair: "good", text: `The dice were fair: all ${seen.rolls.length} rolls come from the secret that the server had committed to, and from the numbers of both players.` };
}
