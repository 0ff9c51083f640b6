// The service worker of an exported page: the page works offline once it was loaded.

export {}; // a module of its own

const name = "ur";
const files = ["./", "app.js", "style.css", "worker.js", "engine.wasm.gz", "wasm_exec.js", "icon.svg", "ladder.json", "manifest.webmanifest"];

interface Lasting extends Event {
  waitUntil(done: Promise<unknown>): void;
}

interface Fetching extends Event {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

const scope = self as unknown as {
  addEventListener(name: "install" | "activate", listen: (e: Lasting) => void): void;
  addEventListener(name: "fetch", listen: (e: Fetching) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
};

scope.addEventListener("install", (e) => e.waitUntil(caches.open(name).then((c) => c.addAll(files)).then(() => scope.skipWaiting())));
scope.addEventListener("activate", (e) => e.waitUntil(scope.clients.claim()));
scope.addEventListener("fetch", (e) => {
  if (e.request.method === "GET" && new URL(e.request.url).origin === location.origin) e.respondWith(answer(e.request));
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
