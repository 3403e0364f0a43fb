// The service worker, which keeps the page for use without a network.

import { h, showMessage } from "./dom.js";
import { t } from "./i18n.js";

/** Offers a new version, which takes the place of the old one in all tabs at once. */
function offer(worker) {
  const button = h("button", { type: "button", onclick: () => worker.postMessage("activate") }, t("reload"));
  showMessage([t("update"), " ", button]);
}

export async function startOffline() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  try {
    const registration = await navigator.serviceWorker.register("service-worker.js");
    const hadOne = Boolean(navigator.serviceWorker.controller);
    if (registration.waiting) offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker.addEventListener("statechange", () => worker.state === "installed" && hadOne && offer(worker));
    });
    navigator.serviceWorker.addEventListener("controllerchange", () => hadOne && location.reload());
  } catch (error) {
    // The page works without it as long as there is a network.
    console.info(error);
  }
}
