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
  const expected = (name) => [...document.querySelectorAll(`.expected${name}`)];
  const [boards, flipped, changes] = ["", "-flipped", "-change"].map(expected);
  const picture = (holder) => content(holder.querySelector("svg"));
  const copied = () => byId("copy-sfen").dataset.sfen;
  const last = boards.length - 1;
  let shown = 0;

  expect("controls", byId("controls").hidden, false);
  expect("back at the start", byId("back").disabled, true);
  const line = [];
  for (let at = 0; at <= last; at++) {
    if (at > 0) byId("next").click();
    expect(`board ${at}`, content(svg), picture(boards[at]));
    expect(`copy ${at}`, copied(), boards[at].dataset.sfen);
    byId("flip").click();
    expect(`turned board ${at}`, content(svg), picture(flipped[at]));
    key("f");
    const step = document.querySelector(".step.now");
    expect(`step ${at}`, Boolean(step), at > 0);
    if (step) line.push(step);
    expect(`address ${at}`, location.hash, `#${line.map((one) => one.dataset.m).join("-") || "start"}`);
    expect(`steps before ${at}`, document.querySelectorAll(".step.past").length, Math.max(0, at - 1));
    for (let fold = step && step.parentElement.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      if (!fold.firstElementChild.contains(step)) expect("open", fold.open, true);
    }
    shown += 1;
  }
  expect("next at the end", byId("next").disabled, true);
  expect("no arrows at the end", svg.querySelectorAll(".kd-arrow").length, 0);
  byId("first").click();
  expect("first", copied(), boards[0].dataset.sfen);
  // The arrows are the moves of the tree, of which there is a button for each.
  const arrows = svg.querySelectorAll(".kd-arrow").length;
  const next = byId("note").querySelectorAll("button");
  expect("arrows", arrows, Math.min(4, next.length));
  next[next.length - 1].click();
  expect("button of a move", document.querySelectorAll(".step.now").length, 1);
  key("End");
  byId("back").click();
  key("ArrowRight");
  key("Home");
  expect("Home", copied(), boards[0].dataset.sfen);
  // Back to the first line.
  line[0].click();
  key("Home");
  key("ArrowRight");
  expect("ArrowRight", copied(), boards[1].dataset.sfen);
  key("ArrowLeft");
  byId("last").click();
  expect("last", copied(), boards[last].dataset.sfen);

  // Every move of every tree leads to the position after its moves; the siblings go round.
  const steps = [...document.querySelectorAll(".tree .step")];
  for (const step of steps) {
    step.click();
    expect("clicked step", document.querySelector(".step.now"), step);
    const depth = document.querySelectorAll(".step.past").length + 1;
    expect("depth", location.hash.slice(1).split("-").length, depth);
    expect("number", step.title.includes(String(depth)), true);
    const address = location.hash;
    key("n");
    key("p");
    expect("n and p", location.hash, address);
    shown += 1;
  }
  // A click on a move does not fold its branching.
  const fold = document.querySelector(".tree details[open]");
  if (fold) {
    fold.querySelector("summary .step").click();
    expect("fold", fold.open, true);
  }

  // Tables: a first move, the lines to changed positions, and the positions themselves.
  const first = document.querySelector("table [data-l] .m");
  first.click();
  expect("first move", location.hash, `#${first.closest("[data-l]").dataset.l}`);
  changes.forEach((change, index) => {
    const row = byId(`change-${index + 1}`);
    row.querySelector("td").click();
    expect(`change ${index}`, content(svg), picture(change));
    expect(`copied change ${index}`, copied(), change.dataset.sfen);
    expect(`row ${index}`, row.classList.contains("now"), true);
    expect(`address of change ${index}`, location.hash, `#${row.id}`);
    expect(`arrow of change ${index}`, svg.querySelectorAll(".kd-arrow").length, row.dataset.a ? 1 : 0);
    expect(`text of change ${index}`, byId("note").textContent, row.dataset.t);
    const names = [...row.querySelectorAll("[data-l] .m")];
    if (names.length) {
      names[names.length - 1].click();
      const words = (sfen) => sfen.split(" ").slice(0, 3).join(" ");
      expect(`line to change ${index}`, words(copied()), words(change.dataset.sfen));
      key("ArrowLeft");
      key("ArrowRight");
      expect(`line to change ${index} again`, words(copied()), words(change.dataset.sfen));
    }
    const summary = row.querySelector("summary");
    const before = location.hash;
    summary.click();
    expect(`folded SFEN ${index}`, location.hash, before);
    shown += 1;
  });
  const lines = [...document.querySelectorAll(".lines [data-l]")];
  for (const element of lines) {
    const names = element.querySelectorAll(".m");
    names[names.length - 1].click();
    expect("length of a line", location.hash.slice(1).split("-").length, names.length);
  }
  expect("images", document.images.length, 0);
  const check = document.createElement("pre");
  check.id = "check";
  check.textContent = faults.length ? faults.slice(0, 20).join("\n") : `fine, ${shown} positions`;
  document.body.append(check);
})();
