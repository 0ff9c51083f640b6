// The check of the dice of a game by a link: the first hashes and numbers that this browser saw
// are kept, and everything later is compared with them. The package comment of
// web/internal/friend has the protocol.

import { sides } from "./game";
import { keep, readJSON } from "./settings";
import { hexBytes, rollOf, sha256 } from "./sha256";
import type { Shared, Side } from "./types";

/** Place is the seat that this browser has in a game by a link. */
export interface Place {
  token: string; // its secret
  side: Side;
  nonce: string; // its number for the dice, 32 hexadecimal digits
}

/** Seen is what this browser saw first of a game. */
interface Seen {
  version: number; // highest version of a state
  late: boolean; // both nonces were known before
  first: string; // side whose nonce comes last
  commit: string;
  hash: string;
  dice: string; // weights of the rolls, as JSON
  nonces: string[];
  rolls: number[];
  end: string; // secret, result and turns of the game that is over, or ""
  bad: string; // the first fault, or ""
}

/** Verdict is what a browser knows about the dice of a game. */
export interface Verdict {
  fair: "open" | "good" | "bad"; // open until the end
  text: string;
}

const isHex = (text: string, digits: number) => text.length === digits && /^[0-9a-f]*$/.test(text);

const diceOf = (s: Shared) => JSON.stringify(s.view.rules?.dice ?? null);

const isOver = (s: Shared) => s.view.result !== "unfinished";

/** fault compares a state with earlier ones, adds its news to seen, and returns the first
 * contradiction, or "". States may overtake each other, and another window may have seen more: an
 * older state may lack nonces and turns, unless the game is over in it. */
function fault(seen: Seen, s: Shared, place: Place | null): string {
  const older = s.version < seen.version && !isOver(s);
  if (s.commit !== seen.commit) return "The server has exchanged the hash of its secret.";
  if (s.hash !== seen.hash || s.first !== seen.first) return "The hash of the first player's number has been exchanged.";
  if (diceOf(s) !== seen.dice) return "The dice have been exchanged.";
  for (const [i, side] of sides.entries()) {
    const nonce = s.nonces[i];
    if (nonce === "" && (older || seen.nonces[i] === "")) continue;
    if (place?.side === side && nonce !== place.nonce) return "The number of this browser has been exchanged.";
    if (seen.nonces[i] !== "" && nonce !== seen.nonces[i]) return `The number of ${side} has been exchanged.`;
    if (!isHex(nonce, 32)) return `The number of ${side} does not have 32 hexadecimal digits.`;
    if (side === s.first && sha256(hexBytes(nonce)) !== seen.hash) return "The first player's number does not have the hash that was shown before.";
    seen.nonces[i] = nonce;
  }
  const rolls = s.view.turns.map((t) => t.roll).concat(s.view.roll ?? []);
  if (rolls.length > 0 && s.nonces.includes("")) return "The dice were thrown before both players had given their numbers.";
  const changed = seen.rolls.findIndex((roll, i) => i < rolls.length && roll !== rolls[i]);
  if (changed >= 0) return `Roll ${changed + 1} has been changed.`;
  if (!older && s.view.turns.length < seen.rolls.length - 1) return "Turns have been taken back.";
  if (rolls.length > seen.rolls.length) seen.rolls = rolls;
  if (seen.end !== "" && !older && endOf(s) !== seen.end) return "The game has changed after its end.";
  seen.end ||= endOf(s);
  return isOver(s) && seen.rolls.length > 0 ? unproven(seen, s) : "";
}

/** endOf returns what never changes in a game that is over, and "" for another game. */
const endOf = (s: Shared) => (isOver(s) ? JSON.stringify([s.secret, s.view.result, s.view.turns]) : "");

/** unproven returns what is wrong with the rolls of a game that is over, or "". */
function unproven(seen: Seen, s: Shared): string {
  if (!s.secret) return "The server does not show its secret: the rolls cannot be checked.";
  if (!isHex(s.secret, 64) || sha256(hexBytes(s.secret)) !== seen.commit) return "The secret of the server does not have the hash that was shown before the game.";
  const source = hexBytes(s.secret + seen.nonces.join(""));
  const wrong = seen.rolls.findIndex((roll, i) => roll !== rollOf(source, i, s.view.rules?.dice));
  return wrong < 0 ? "" : `Roll ${wrong + 1} does not come from the secret and the numbers of the players.`;
}

/** witness takes note of a state of a game, and returns the verdict on all of its states. It is
 * called with every state, before this browser answers it with its number. */
export function witness(s: Shared, place: Place | null): Verdict {
  const seen = readJSON<Seen>("fair." + s.id, {
    version: 0, late: !s.nonces.includes(""), first: s.first, commit: s.commit, hash: s.hash, dice: diceOf(s), nonces: ["", ""], rolls: [], end: "", bad: "",
  });
  seen.bad ||= fault(seen, s, place);
  seen.version = Math.max(seen.version, s.version);
  keep("fair." + s.id, JSON.stringify(seen));
  if (seen.bad) return { fair: "bad", text: "The dice were not fair. " + seen.bad };
  if (seen.end === "") return { fair: "open", text: "Each roll comes from a secret of the server and a random number of each player. Nobody knew all of them in time to choose. After the game this page checks every roll." };
  if (seen.rolls.length === 0) return { fair: "good", text: "No dice were thrown." };
  const since = seen.late ? " This browser came when both numbers were known, and cannot check how they were chosen." : "";
  return { fair: "good", text: `The dice were fair: all ${seen.rolls.length} rolls come from the secret that the server had committed to, and from the numbers of both players.` + since };
}
