// SHA-256 (FIPS 180-4), for pages without a secure context, where the browser offers none.

/** constants are the first 32 bits of the fractional parts of roots of the first 64 primes. */
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
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = view.getInt32(block + 4 * i);
      else {
        const a = w[i - 15];
        const b = w[i - 2];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
      }
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
export function rollOf(source: Uint8Array, turn: number, weights = [1, 4, 6, 4, 1]): number {
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
