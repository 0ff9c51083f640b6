/// <reference lib="webworker" />
// The service worker of an exported page: the page works offline once it was loaded.

export {}; // a module of its own

const name = "ur";
const files = ["./", "app.js", "chunk.js", "rest.js", "style.css", "worker.js", "engine.wasm.gz", "wasm_exec.js", "icon.svg", "manifest.webmanifest"];

declare const self: ServiceWorkerGlobalScope;

self.addEventListener("install", (e) => e.waitUntil(caches.open(name).then((c) => c.addAll(files)).then(() => self.skipWaiting())));
self.addEventListener("activate", (e) => e.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (e) => {
  if (e.request.method === "GET" && new URL(e.request.url).origin === self.location.origin) e.respondWith(answer(e.request));
});

/** answer takes a file from the network, so that it is never stale, and offline from the cache. */
async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(name);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(request, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
