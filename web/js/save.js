// Copying and saving the game in every format, and links that hold it.

import { byId, choice, copyText, dialogue, h, say } from "./dom.js";
import { shownPosition } from "./moves.js";
import { errorText, t } from "./i18n.js";
import { gameLink, positionLink } from "./share.js";
import { state, watch } from "./state.js";

const FORMATS = { kif: "KIF", ki2: "KI2", csa: "CSA", jkf: "JKF", usen: "USEN", usi: "USI" };
const ENDINGS = { kif: "kifu", ki2: "ki2u", usi: "sfen" };

/** Returns the text of a format, what it cannot hold, and the ending of its files. */
function written(format) {
  if (format === "sfen") return { text: `sfen ${shownPosition().sfen}`, lost: [], ending: "sfen" };
  return { ...state.record.text(format), ending: ENDINGS[format] ?? format };
}

async function copy(text) {
  say(t((await copyText(text)) ? "copied" : "notCopied"));
}

function showSave() {
  const text = h("textarea", { id: "text", rows: 10, readonly: true, spellcheck: "false", "aria-label": t("save") });
  const lost = h("p", { class: "hint" });
  let ending = "";
  const show = (format) => {
    try {
      const result = written(format);
      text.value = result.text;
      ending = result.ending;
      lost.textContent = result.lost.length ? t("lost", result.lost.join(", ")) : "";
    } catch (error) {
      text.value = "";
      lost.textContent = errorText(error);
    }
  };
  const options = [...Object.entries(FORMATS), ["sfen", t("position")]];
  dialogue("save", t("save"), t("close"), choice("format", t("format"), options, "kif", show), text, lost,
    h("div", { class: "row" },
      h("button", { type: "button", id: "copy", class: "main", onclick: () => copy(text.value) }, t("copy")),
      h("button", { type: "button", id: "download", onclick: () => download(text.value, ending) }, t("download"))));
  show("kif");
}

function download(text, ending) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  h("a", { href: address, download: `komadai.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

function showShare() {
  const part = (id, name, address) => {
    const field = h("input", { id, type: "text", readonly: true, value: address, "aria-label": name, onfocus: (event) => event.target.select() });
    return h("div", { class: "link" }, h("span", {}, name), field, h("button", { type: "button", onclick: () => copy(address) }, t("copy")));
  };
  dialogue("sharing", t("share"), t("close"), h("p", { class: "hint" }, t("linkHelp")),
    part("game-link", t("linkGame"), gameLink()), part("position-link", t("linkPosition"), positionLink(shownPosition().sfen)));
}

function showTools() {
  for (const id of ["show-save", "show-share"]) byId(id)?.remove();
  byId("tools").append(
    h("button", { id: "show-save", type: "button", onclick: showSave }, t("save")),
    h("button", { id: "show-share", type: "button", onclick: showShare }, t("share")));
}

export function startSaving() {
  watch(["language"], showTools);
}
