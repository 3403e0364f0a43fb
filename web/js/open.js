// Opening records: pasted, dropped, or from a file, in any format and encoding.

import { byId, dialogue, h, say } from "./dom.js";
import { newGame, openRecord } from "./game.js";
import { GameRecord, Position, checkSfen } from "./komadai.js";
import { errorText, t } from "./i18n.js";
import { set, state, watch } from "./state.js";
import { loadSetup } from "./editor.js";

/** Opens a text or the bytes of a file, and tells what was opened; returns whether it could be read. */
export function openText(source, name) {
  try {
    if (typeof source === "string" && isPosition(source)) return openPosition(source.trim());
    const { record, fault } = parse(source);
    openRecord(record);
    set({ mode: "study", play: null });
    const moves = record.mainline().length;
    if (fault) say(t("skipped", errorText(fault)), "bad");
    else say(t("opened", name ?? t("openedMoves", moves)));
    return true;
  } catch (error) {
    say(t("cannotRead", errorText(error)), "bad");
    return false;
  }
}

/** Reads a record strictly; one with faults is read as far as it goes, and the first fault is told. */
function parse(source) {
  try {
    return { record: GameRecord.parse(source) };
  } catch (fault) {
    try {
      return { record: GameRecord.parse(source, { lenient: true }), fault };
    } catch {
      throw fault;
    }
  }
}

const isPosition = (text) => /^\s*(sfen\s+)?([1-9+a-z]+\/){8}[1-9+a-z]+\s+[bw]\s/i.test(text) && !/\smoves\s/.test(text);

/** Opens a position in SFEN; one that cannot be played goes to the editor. */
function openPosition(text) {
  const sfen = text.replace(/^sfen\s+/, "");
  const fault = checkSfen(sfen);
  if (fault?.code === "sfen") throw new Error(fault.text);
  if (fault) {
    loadSetup(sfen);
    set({ mode: "edit" });
    return true;
  }
  const position = new Position(sfen);
  newGame(position.sfen);
  position.free();
  if (!["study", "play"].includes(state.mode)) set({ mode: "study" });
  set({ play: null });
  return true;
}

async function openFile(file) {
  if (file) openText(new Uint8Array(await file.arrayBuffer()), file.name);
}

export function showOpen() {
  const text = h("textarea", { id: "paste", rows: 8, "aria-label": t("pasteHere"), placeholder: t("pasteHere"), spellcheck: "false" });
  const file = h("input", { id: "file", type: "file", class: "offscreen",
    onchange: (event) => { box.close(); openFile(event.target.files[0]); } });
  const box = dialogue("open", t("open"), t("close"), h("p", { class: "hint" }, t("openHelp")), text,
    h("div", { class: "row" },
      h("button", { type: "button", id: "read", class: "main", onclick: () => openText(text.value) && box.close() }, t("read")),
      h("button", { type: "button", onclick: () => file.click() }, t("chooseFile")), file,
      h("button", { type: "button", id: "new-game", onclick: () => { newGame(); set({ mode: "study", play: null }); box.close(); } }, t("newGame"))));
  text.focus();
}

function showTools() {
  byId("tools").querySelector("#show-open")?.remove();
  byId("tools").prepend(h("button", { id: "show-open", type: "button", onclick: showOpen }, t("open")));
}

export function startOpening() {
  watch(["language"], showTools);
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea")) return;
    const text = event.clipboardData.getData("text/plain");
    if (text.trim()) openText(text);
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const { files } = event.dataTransfer;
    if (files.length) openFile(files[0]);
    else openText(event.dataTransfer.getData("text/plain"));
  });
}
