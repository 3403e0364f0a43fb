// Keeps the files of one version of the page. `build` writes the version and the files.

const VERSION = "@VERSION@";
const FILES = [/* @FILES@ */];
const PREFIX = "komadai-page-";

// A module with one vector instruction: the package has a build for browsers that know them, and one for others.
const VECTORS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);
const UNUSED = WebAssembly.validate(VECTORS) ? "komadai/komadai.wasm" : "komadai/komadai_simd.wasm";

self.addEventListener("install", (event) => {
  // Past the cache of the browser, which may hold files of an older version.
  const requests = FILES.filter((file) => file !== UNUSED).map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(PREFIX + VERSION).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith(PREFIX) && name !== PREFIX + VERSION;
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => event.data === "activate" && self.skipWaiting());

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  const kept = caches.open(PREFIX + VERSION).then((cache) => cache.match(request, { ignoreSearch: true }));
  event.respondWith(kept.then((response) => response ?? fetch(request)));
});
