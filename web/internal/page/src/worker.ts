/// <reference lib="webworker" />
// The engine as WebAssembly, in a worker: the page stays quick while a player thinks.

export {}; // a module of its own

declare const Go: new () => { importObject: WebAssembly.Imports; run(instance: WebAssembly.Instance): Promise<void> };

declare const self: DedicatedWorkerGlobalScope & { answer?(verb: string, question: string): { ok: boolean; text: string } };

/** load starts the engine, which puts the function answer here. */
async function load(): Promise<void> {
  self.importScripts("wasm_exec.js");
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

self.onmessage = async ({ data, ports }) => {
  let reply: { ok: boolean; text: string };
  try {
    await loaded;
    reply = self.answer!(data.verb, data.text);
  } catch (error) {
    reply = { ok: false, text: JSON.stringify({ error: "the engine did not start: " + error }) };
  }
  ports[0].postMessage(reply);
};
