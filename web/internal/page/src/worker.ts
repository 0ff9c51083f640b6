// The engine as WebAssembly, in a worker: the page stays quick while a player thinks.

declare const Go: new () => { importObject: WebAssembly.Imports; run(instance: WebAssembly.Instance): Promise<void> };
declare function importScripts(name: string): void;

/** What a worker has, and the function that the engine puts there. */
const scope = self as unknown as {
  answer?: (verb: string, question: string) => { ok: boolean; text: string };
  onmessage: (message: { data: { id: number; verb: string; text: string } }) => void;
  postMessage(message: unknown): void;
};

/** load starts the engine, which puts the function answer here. */
async function load(): Promise<void> {
  importScripts("wasm_exec.js");
  const go = new Go();
  const file = await fetch("engine.wasm.gz");
  if (!file.ok) throw new Error("engine.wasm.gz: " + file.statusText);
  const bytes = await plain(await file.arrayBuffer());
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  void go.run(instance);
}

/** plain undoes the compression, unless a server that knew the file has done so. */
async function plain(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const head = new Uint8Array(bytes, 0, 2);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return bytes;
  return new Response(new Response(bytes).body!.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

const loaded = load();

scope.onmessage = async ({ data }) => {
  let reply: { ok: boolean; text: string };
  try {
    await loaded;
    reply = scope.answer!(data.verb, data.text);
  } catch (error) {
    reply = { ok: false, text: JSON.stringify({ error: "the engine did not start: " + error }) };
  }
  scope.postMessage({ id: data.id, ...reply });
};
