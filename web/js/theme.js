// Light and dark. The style sheets follow the reader's preference; a choice overrides it in them.

import { state, watch } from "./state.js";

const dark = matchMedia("(prefers-color-scheme: dark)");

function apply() {
  const shown = { auto: null, light: "not all", dark: "all" }[state.theme];
  document.documentElement.style.colorScheme = state.theme === "auto" ? "light dark" : state.theme;
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) follow(rule, shown);
  }
  const meta = document.querySelector("meta[name=theme-color]");
  meta.content = getComputedStyle(document.documentElement).getPropertyValue("--paper").trim();
}

const queries = new WeakSet();

function follow(rule, shown) {
  if (rule instanceof CSSMediaRule && (queries.has(rule) || rule.conditionText.includes("prefers-color-scheme"))) {
    queries.add(rule);
    rule.media.mediaText = shown ?? "(prefers-color-scheme: dark)";
  } else if (rule instanceof CSSSupportsRule) {
    for (const inner of rule.cssRules) follow(inner, shown);
  }
}

export function startTheme() {
  watch(["theme"], apply);
  dark.addEventListener("change", apply);
}
