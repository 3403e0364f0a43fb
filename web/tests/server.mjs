// A static file server that knows nothing of the page, on a free port, below a sub-path.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm",
  ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json",
};

/** Serves a folder below `/some/path/`; returns the address and a function that ends the server. */
export async function serve(folder) {
  const base = "/some/path/";
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url.split(/[?#]/)[0]);
    const name = path.slice(base.length) || "index.html";
    try {
      if (!path.startsWith(base) || normalize(name).startsWith("..")) throw new Error("outside");
      const bytes = await readFile(join(folder, name));
      response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end("not found");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${server.address().port}${base}`, close };
}
