// Replaces the content once a second, and sends the actions. The content comes from this server only.
"use strict";
const content = document.getElementById("content");
const link = document.getElementById("link");
const button = document.getElementById("action");
let tag = "";

function show(isPaused) {
  if (!button) return;
  button.dataset.action = isPaused ? "resume" : "pause";
  button.textContent = isPaused ? "Resume" : "Pause";
}

async function refresh() {
  try {
    const answer = await fetch("/content", { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
    if (answer.status === 200) {
      const open = [...content.querySelectorAll("details")].map((details) => details.open);
      content.innerHTML = await answer.text();
      content.querySelectorAll("details").forEach((details, index) => { details.open = open[index] || false; });
      tag = answer.headers.get("ETag") || "";
      show(answer.headers.get("X-Paused") === "1");
    }
    link.textContent = answer.ok || answer.status === 304 ? "" : "the server answers " + answer.status;
  } catch {
    link.textContent = "no connection: the program has ended, or its machine is away";
  }
  setTimeout(refresh, document.hidden ? 5000 : 1000);
}

if (button) {
  button.addEventListener("click", async () => {
    const answer = await fetch("/" + button.dataset.action, { method: "POST" });
    if (answer.ok) { show(button.dataset.action === "pause"); tag = ""; }
  });
}

const wish = document.getElementById("wish");
if (wish) {
  wish.addEventListener("submit", async (event) => {
    event.preventDefault();
    const line = wish.elements.line.value.trim();
    const ascii = /^[ -~]*$/.test(line);
    const answer = ascii && await fetch("/wish", { method: "POST", headers: { "X-Wish": line } });
    wish.querySelector("output").textContent = !ascii ? "expected USI, such as startpos moves 7g7f"
      : answer.ok ? (line ? "noted" : "taken back") : "the server answers " + answer.status;
  });
}
setTimeout(refresh, 1000);
