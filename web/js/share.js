// Addresses that hold a game or a position: `#usen=…&ply=12`, `#sfen=…`. No server keeps anything.

import { say } from "./dom.js";
import { keepGame, newGame, openRecord, plyOf, step } from "./game.js";
import { GameRecord } from "./komadai.js";
import { errorText, t } from "./i18n.js";
import { set, state, watch } from "./state.js";

const page = () => location.href.split("#")[0];

/** Returns the address of the game at the move that is shown. */
export function gameLink() {
  const { text } = state.record.text("usen");
  // The number of the move counts on the main line; a move of a variation leads to its fork.
  let { node } = state;
  const main = new Set([state.record.root, ...state.record.mainline()]);
  while (!main.has(node)) node = state.record.parent(node);
  return `${page()}#usen=${encodeURI(text)}${plyOf(node) ? `&ply=${plyOf(node)}` : ""}`;
}

/** Returns the address of a position; blanks become underscores, which survive in messages. */
export const positionLink = (sfen) => `${page()}#sfen=${sfen.replaceAll(" ", "_")}`;

/** Opens what the address holds; returns whether it held something that could be read. */
export async function openAddress() {
  const parts = new Map(location.hash.slice(1).split("&").map((part) => {
    const [name, ...value] = part.split("=");
    return [name, decodeURIComponent(value.join("="))];
  }));
  try {
    if (parts.get("sfen")) newGame(parts.get("sfen").replaceAll("_", " "));
    else if (parts.get("usen")) openRecord(GameRecord.parse(parts.get("usen"), { format: "usen" }));
    else return false;
  } catch (error) {
    say(t("badLink", errorText(error)), "bad");
    return false;
  }
  step(Number(parts.get("ply")) || 0);
  set({ mode: "study" });
  // What the address held is the game now; a reload goes on with it.
  history.replaceState(null, "", page());
  return true;
}

export function startSharing() {
  watch(["revision", "node", "record", "play"], () => state.record && keepGame());
  window.addEventListener("hashchange", openAddress);
}
