// The engine: one worker, one search at a time. A new search stops the one before.

import { Engine } from "./komadai.js";
import { say } from "./dom.js";
import { errorText, t } from "./i18n.js";
import { set, state } from "./state.js";

const NETWORKS = "komadai-network";

let engine = null;
let active = null;
let tail = Promise.resolve();

/** Returns the engine, which starts when it is first needed. */
async function ready() {
  if (!engine) {
    const network = state.network ? await keptNetwork() : undefined;
    engine = await Engine.create({ hash: state.hash, network });
  }
  return engine;
}

/**
 * Runs a job alone, after the one before has stopped. A job is `async (engine, token)`: it ends when
 * `token.stopped`, and sets `token.stop` to what makes its search end.
 */
export function run(job) {
  halt();
  const token = { stopped: false, stop: null };
  active = token;
  tail = tail.then(async () => {
    if (token.stopped) return undefined;
    try {
      return await job(await ready(), token);
    } catch (error) {
      if (!token.stopped) {
        say(errorText(error), "bad");
        console.error(error);
      }
      return undefined;
    } finally {
      if (active === token) active = null;
    }
  });
  return tail;
}

/** Ends the running job. */
export function halt() {
  if (!active) return;
  active.stopped = true;
  active.stop?.();
  active = null;
}

/** Ends the engine; the next job starts another one, with the settings of then. */
export async function restart() {
  halt();
  await tail;
  engine?.close();
  engine = null;
}

/** Uses a network from a file, or the bundled one without one; the old one stays if it is refused. */
export async function useNetwork(file) {
  await restart();
  if (!file) {
    await caches.delete(NETWORKS).catch(() => {});
    set({ network: null });
    return;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    engine = await Engine.create({ hash: state.hash, network: bytes });
  } catch (error) {
    say(t("networkRefused", errorText(error)), "bad");
    return;
  }
  set({ network: file.name });
  say(t("networkLoaded", file.name));
  try {
    const cache = await caches.open(NETWORKS);
    await cache.put("network", new Response(bytes));
  } catch {
    // It is used until the page closes.
  }
}

async function keptNetwork() {
  try {
    const found = await (await caches.open(NETWORKS)).match("network");
    return found && new Uint8Array(await found.arrayBuffer());
  } catch {
    return undefined;
  }
}
