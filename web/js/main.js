// Starts the page: the package, the state, the views.

import init, { version } from "./komadai.js";
import { startAnalysis } from "./analysis.js";
import { startBoard } from "./board.js";
import { byId, h, hideMessage, showMessage } from "./dom.js";
import { startEditor } from "./editor.js";
import { newGame, restoreGame } from "./game.js";
import { startGameAnalysis } from "./game_analysis.js";
import { errorText, language, t } from "./i18n.js";
import { startMate } from "./mate.js";
import { startMoves } from "./moves.js";
import { startNavigation } from "./navigation.js";
import { startOffline } from "./offline.js";
import { startOpening } from "./open.js";
import { startPlay } from "./play.js";
import { startSaving } from "./save.js";
import { startSettings } from "./settings.js";
import { openAddress, startSharing } from "./share.js";
import { set, state, watch } from "./state.js";
import { startTheme } from "./theme.js";
import { startTsume } from "./tsume.js";

const MODES = ["study", "play", "tsume", "edit"];

function showFrame() {
  document.documentElement.lang = language();
  document.title = t("title");
  byId("modes").setAttribute("aria-label", t("modes"));
  byId("modes").replaceChildren(...MODES.map((mode) => h("button", {
    type: "button", "data-mode": mode, "aria-pressed": String(mode === state.mode), onclick: () => set({ mode }),
  }, t(mode))));
  document.body.dataset.mode = state.mode;
  for (const part of document.querySelectorAll("[data-modes]")) {
    part.hidden = !part.dataset.modes.split(" ").includes(state.mode);
  }
  byId("version").textContent = t("footer", version());
}

async function start() {
  startTheme();
  showMessage([t("loading")]);
  await init();
  hideMessage();
  if (!MODES.includes(state.mode)) set({ mode: "study" });
  if (!(await openAddress()) && !restoreGame()) newGame();
  watch(["mode", "language"], showFrame);
  startBoard();
  startNavigation();
  startMoves();
  startAnalysis();
  startGameAnalysis();
  startMate();
  startPlay();
  startTsume();
  startEditor();
  startOpening();
  startSaving();
  startSharing();
  startSettings();
  startOffline();
  document.documentElement.classList.add("js");
}

start().catch((error) => {
  showMessage([t("failed", errorText(error))], "bad");
  console.error(error);
});
