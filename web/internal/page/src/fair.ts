// The check of the dice of a game by a link: the first hashes and numbers that this browser saw
// are kept, and everything later is compared with them. The package comment of
// web/internal/friend has the protocol. SHA-256 (FIPS 180-4) is here for pages without a secure
// context, where the browser offers none.

import { sides } from "./game";
import { keep, readJSON } from "./settings";
import type { Shared, Side } from "./types";

/** Place is the seat that this browser has in a game by a link. */
export interface Place {
  token: string; // its secret
  side: Side;
  nonce: string; // its number for the dice, 32 hexadecimal digits
}

/** Seen is what this browser saw first of a game. The version is the highest of all states. */
interface Seen extends Pick<Shared, "version" | "first" | "commit" | "hash" | "nonces"> {
  late: boolean; // both nonces were known before
  dice: string; // weights of the rolls, as JSON
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

/** The first 32 bits of the fractional parts of roots of the first 64 primes. */
const [roots, start] = (() => {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const bits = (x: number) => ((x - Math.floor(x)) * 2 ** 32) | 0;
  return [primes.map((p) => bits(Math.cbrt(p))), primes.slice(0, 8).map((p) => bits(Math.sqrt(p)))];
})();

const turn = (x: number, n: number) => (x >>> n) | (x << (32 - n));

/** digest returns the eight words of the hash. */
function digest(text: Uint8Array): Int32Array {
  const bytes = new Uint8Array(((text.length + 8) >> 6 << 6) + 64);
  bytes.set(text);
  bytes[text.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 4, text.length * 8);
  const hash = Int32Array.from(start);
  const w = new Int32Array(64);
  for (let block = 0; block < bytes.length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [a, b] = [w[i - 15], w[i - 2]];
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + roots[i] + w[i]) | 0;
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => (hash[i] += x));
  }
  return hash;
}

/** sha256 returns the hash in hexadecimal digits. */
export const sha256 = (text: Uint8Array) => [...digest(text)].map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");

export const hexBytes = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (b) => parseInt(b, 16));

const ones = (n: number) => [1, 2, 4, 8].filter((bit) => n & bit).length;

/** rollOf is a roll of a game by a link, from the first four bits of the hash of its source and
 * the number of the turn, in eight bytes: with four dice the number of their ones. In general the
 * 16 values are sorted by their ones, and each roll has its share of them. */
function rollOf(source: Uint8Array, turn: number, weights = [1, 4, 6, 4, 1]): number {
  const text = new Uint8Array(source.length + 8);
  text.set(source);
  new DataView(text.buffer).setUint32(source.length + 4, turn);
  const order = Array.from({ length: 16 }, (_, n) => n).sort((a, b) => ones(a) - ones(b) || a - b);
  const sum = weights.reduce((a, b) => a + b);
  let place = Math.floor((order.indexOf(digest(text)[0] >>> 28) * sum) / 16);
  let roll = 0;
  while (place >= weights[roll]) place -= weights[roll++];
  return roll;
}
