// Going through moves: buttons, slider, keys. Each mode has its own line of moves.

import { byId, h, signButton } from "./dom.js";
import { t } from "./i18n.js";
import { flipKey, set, state, watch } from "./state.js";

const lines = {};
const keys = new Map();

/**
 * Registers the line of moves of a mode: a function that returns `at`, `last`, `go(index)` and the
 * `name` of the move shown, or null if there is nothing to go through.
 */
export function registerLine(mode, watched, line) {
  lines[mode] = line;
  watch(watched, () => state.mode === mode && show());
}

/** Registers what a key does in a mode. */
export const registerKey = (mode, key, action) => keys.set(`${mode} ${key}`, action);

const current = () => lines[state.mode]?.() ?? null;

function goTo(to) {
  const line = current();
  if (line) line.go(Math.max(0, Math.min(line.last, to(line))));
}

const STEPS = {
  first: ["|◀", () => 0], back: ["◀", (line) => line.at - 1],
  next: ["▶", (line) => line.at + 1], last: ["▶|", (line) => line.last],
};
const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last" };

function build() {
  const buttons = Object.entries(STEPS).map(([id, [sign, to]]) => signButton(id, sign, t(id), () => goTo(to)));
  byId("controls").replaceChildren(
    ...buttons,
    signButton("flip", "⇅", t("flip"), turn),
    h("input", { id: "slider", type: "range", min: 0, max: 0, value: 0, "aria-label": t("number"),
      oninput: (event) => goTo(() => +event.target.value) }),
    h("p", { class: "keys" }, t("keys")),
  );
  show();
}

function show() {
  const line = current();
  byId("controls").classList.toggle("alone", !line);
  if (!line || !byId("slider")) return;
  byId("slider").max = line.last;
  byId("slider").value = line.at;
  byId("slider").setAttribute("aria-valuetext", line.name);
  byId("first").disabled = byId("back").disabled = line.at === 0;
  byId("next").disabled = byId("last").disabled = line.at >= line.last;
}

const turn = () => set({ [flipKey()]: !state[flipKey()] });

function press(event) {
  const { target, key } = event;
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  if (document.querySelector("dialog[open]") || target.closest("input, select, textarea")) return;
  // The space bar presses the button that has the focus.
  if ((key === " " || key === "Enter") && target.closest("button, a, summary")) return;
  const step = STEPS[KEYS[key]];
  const act = step ? () => goTo(step[1]) : key === "f" ? turn : keys.get(`${state.mode} ${key}`);
  if (!act) return;
  event.preventDefault();
  act();
}

export function startNavigation() {
  watch(["language"], build);
  watch(["mode"], show);
  document.addEventListener("keydown", press);
}
