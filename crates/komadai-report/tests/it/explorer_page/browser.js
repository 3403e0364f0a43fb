"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const faults = window.faults;
  const expect = (what, found, expected) => {
    if (found !== expected) faults.push(`${what}: found ${found}, expected ${expected}`);
  };
  const key = (name) => document.dispatchEvent(new KeyboardEvent("keydown", { key: name, cancelable: true }));
  const svg = byId("board").querySelector("svg");
  // Everything after the board itself, without arrows and blanks between the elements.
  const content = (picture) => {
    const parts = [];
    for (let node = picture.querySelector(".kd-stars").nextElementSibling; node; node = node.nextElementSibling) {
      if (!node.matches(".kd-arrow")) parts.push(node.outerHTML.replace(/>\s+</g, "><"));
    }
    return parts.join("");
  };
  const boards = [...document.querySelectorAll(".expected")];
  const flipped = [...document.querySelectorAll(".expected-flipped")];
  const picture = (holder) => content(holder.querySelector("svg"));
  const copied = () => byId("copy-sfen").dataset.sfen;
  const shown = () => [...document.querySelectorAll(".position")].filter((table) => !table.hidden);
  const row = (m) => shown()[0].querySelector(`tr[data-m="${m}"]`);
  const line = ["7g7f", "3c3d", "2g2f", "8c8d"];
  const last = line.length;

  expect("controls", byId("controls").hidden, false);
  expect("back at the start", byId("back").disabled, true);
  for (let at = 0; at <= last; at++) {
    if (at > 0) byId("next").click();
    expect(`board ${at}`, content(svg), picture(boards[at]));
    expect(`copy ${at}`, copied(), boards[at].dataset.sfen);
    expect(`address ${at}`, location.hash, `#${line.slice(0, at).join("-") || "start"}`);
    expect(`tables ${at}`, shown().length, at < last ? 1 : 0);
    expect(`text without a table ${at}`, byId("none").hidden, at < last);
    expect(`buttons of the line ${at}`, byId("note").querySelectorAll("button").length, at + 1);
    const arrows = svg.querySelectorAll(".kd-arrow").length;
    expect(`arrows ${at}`, arrows, at < last ? Math.min(4, shown()[0].querySelectorAll("tr[data-m]").length) : 0);
    byId("flip").click();
    expect(`turned board ${at}`, content(svg), picture(flipped[at]));
    key("f");
  }
  expect("next at the end", byId("next").disabled, true);
  byId("first").click();
  expect("first", copied(), boards[0].dataset.sfen);
  key("End");
  expect("End", copied(), boards[last].dataset.sfen);
  key("ArrowLeft");
  expect("ArrowLeft", location.hash, "#7g7f-3c3d-2g2f");
  key("Home");
  key("ArrowRight");
  expect("ArrowRight", location.hash, "#7g7f");
  key("n");
  expect("n", location.hash, "#2g2f");
  key("p");
  expect("p", location.hash, "#7g7f");
  row("8c8d").querySelector("a").click();
  expect("click on a move", location.hash, "#7g7f-8c8d");
  byId("last").click();
  expect("on by the first moves", location.hash, "#7g7f-8c8d-2g2f");
  byId("note").querySelector("button").click();
  expect("the first button of the line", location.hash, "#start");
  // Two lines lead to one table.
  key("Home");
  row("2g2f").click();
  row("3c3d").click();
  row("7g7f").click();
  const met = shown()[0];
  expect("moves of both lines", met.querySelectorAll("tr[data-m]").length, 2);
  row("4c4d").click();
  expect("the end of a line", location.hash, "#2g2f-3c3d-7g7f-4c4d");
  expect("no table", byId("none").hidden, false);
  expect("images", document.images.length, 0);
  const check = document.createElement("pre");
  check.id = "check";
  check.textContent = faults.length ? faults.slice(0, 20).join("\n") : `fine, ${boards.length} positions`;
  document.body.append(check);
})();
