// The settings of the reader.

import { byId, choice, dialogue, h } from "./dom.js";
import { restart, useNetwork } from "./engine.js";
import { t } from "./i18n.js";
import { set, state, watch } from "./state.js";

const LANGUAGES = [["en", "English"], ["ja", "日本語"]];
const NOTATIONS = ["auto", "japanese", "kif", "western", "csa", "usi"];
const MEMORY_MIB = [16, 64, 128, 256, 512];

function showSettings() {
  const file = h("input", { id: "network", type: "file", class: "offscreen",
    onchange: async (event) => { await useNetwork(event.target.files[0]); showSettings(); } });
  dialogue("settings", t("settings"), t("close"),
    h("div", { class: "fields column" },
      choice("language", t("language"), [["auto", t("auto")], ...LANGUAGES], state.language, (language) => { set({ language }); queueMicrotask(showSettings); }),
      choice("theme", t("theme"), ["auto", "light", "dark"].map((one) => [one, t(one)]), state.theme, (theme) => set({ theme })),
      choice("notation", t("notation"), NOTATIONS.map((one) => [one, t(`notation.${one}`)]), state.notation, (notation) => set({ notation })),
      choice("pieces", t("pieces"), [["auto", t("notation.auto")], ["kanji", t("kanji")], ["letters", t("letters")]], state.pieces, (pieces) => set({ pieces })),
      choice("hash", t("hash"), MEMORY_MIB.map((size) => [size, `${size} MiB`]), state.hash, (hash) => { set({ hash: +hash, analysing: false }); restart(); })),
    h("p", {}, t("network"), ": ", h("b", {}, state.network ?? t("bundled"))),
    h("div", { class: "row" },
      h("button", { type: "button", onclick: () => file.click() }, t("otherNetwork")), file,
      state.network && h("button", { type: "button", onclick: async () => { await useNetwork(null); showSettings(); } }, t("bundledAgain"))));
}

function showTools() {
  byId("show-settings")?.remove();
  byId("tools").append(h("button", { id: "show-settings", type: "button", "aria-label": t("settings"), title: t("settings"), onclick: showSettings }, "⚙"));
}

export function startSettings() {
  watch(["language"], showTools);
}
