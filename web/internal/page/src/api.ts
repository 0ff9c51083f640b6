// Requests of the page: to a server, or to the same engine as WebAssembly in a worker.

import type { GameSetup } from "./table";
import type { About, Analysis, Hints, Puzzle, Shared, TextFile, View } from "./types";

export interface Question extends Partial<GameSetup> {
  game?: string;
  seed?: number;
  from?: number;
  form?: string;
  text?: string;
}

/** Refused is the error of a request that the server has rejected. */
export class Refused extends Error {}

/** Whether the page has no server. */
export const alone = document.documentElement.dataset.engine === "wasm";

/** request asks the server. An error other than Refused means that the server was not reached. */
async function request(path: string, question?: unknown): Promise<any> {
  const post = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question) };
  const answer = await fetch(path, question === undefined ? {} : post);
  const value = await answer.json();
  if (answer.ok) return value;
  throw answer.status === 503 ? new Error(value.error) : new Refused(value.error); // 503: it is busy
}

/** inWorker returns a function that asks a worker, which loads the engine with the first question. */
function inWorker(): (verb: string, question: Question) => Promise<any> {
  const worker = new Worker("worker.js");
  return (verb, question) =>
    new Promise((resolve, reject) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => {
        const value = JSON.parse(data.text);
        if (data.ok) resolve(value);
        else reject(new Refused(value.error));
      };
      worker.postMessage({ verb, text: JSON.stringify(question) }, [port2]);
    });
}

const game = alone ? inWorker() : (verb: string, question: Question) => request("api/game/" + verb, question);

export const about = (): Promise<About> => (alone ? game("about", {}) : request("api/about"));
export const play = (verb: string, question: Question): Promise<View> => game(verb, question);
export const hints = (link: string): Promise<Hints> => game("hints", { game: link });
export const puzzles = (): Promise<{ puzzles: Puzzle[] }> => game("puzzles", {});
export const analysis = (link: string): Promise<Analysis> => game("analysis", { game: link });
export const brain = (): Promise<TextFile> => game("brain", {});
export const textOf = (link: string, form: string): Promise<TextFile> => game("record", { game: link, form });

/** friend asks about a game of two people by a link; "new" creates one. */
export const friend = (id: string, verb: string, question: unknown) =>
  request(id === "" ? "api/friends" : `api/friends/${encodeURIComponent(id)}/${verb}`, question) as Promise<Shared>;
export const friendEvents = (id: string) => new EventSource(`api/friends/${encodeURIComponent(id)}/events`);

/** patient asks until there is an answer or stop returns true, and reports every failure to lost. */
export async function patient<T>(ask: () => Promise<T>, lost: (error: Error | null) => void, stop: () => boolean): Promise<T> {
  for (let wait = 300; ; wait = Math.min(3000, wait * 1.6)) {
    try {
      const answer = await ask();
      lost(null);
      return answer;
    } catch (error) {
      if (error instanceof Refused || stop()) {
        lost(null);
        throw error;
      }
      lost(error as Error);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
