"use strict";
(() => {
  const faults = window.faults;
  const expect = (what, found, expected) => {
    if (found !== expected) faults.push(`${what}: found ${found}, expected ${expected}`);
  };
  const score = document.getElementById("score");
  const [first, second] = document.querySelectorAll("article");
  const kinds = (article) => [...article.classList].join(" ");
  // The place of a piece or a square in the picture, in pixels of the window.
  const click = (article, x, y) => {
    const picture = article.querySelector("svg");
    const point = new DOMPoint(x, y).matrixTransform(picture.getScreenCTM());
    const event = new MouseEvent("click", { clientX: point.x, clientY: point.y, bubbles: true });
    picture.dispatchEvent(event);
  };
  const square = (article, name) => {
    let [file, rank] = [+name[0], name.charCodeAt(1) - 96];
    if (article === second) [file, rank] = [10 - file, 10 - rank];
    click(article, 118 + (9 - file) * 44 + 22, 34 + (rank - 1) * 48 + 24);
  };
  const mark = (article) => article.querySelectorAll("svg rect.kd-mark").length;
  const button = (article, move) => article.querySelector(`.choices [data-m="${move}"]`);
  const verdict = (article) => article.querySelector(".verdict");
  const answer = (article) => article.querySelector("details");

  expect("score", score.textContent.startsWith("0 / 2"), true);
  // A square without an own move selects nothing.
  square(first, "5e");
  expect("empty square", mark(first), 0);
  square(first, "8h");
  expect("origin", mark(first), 1);
  // Another origin, then back, then the move.
  square(first, "2g");
  expect("other origin", mark(first), 1);
  square(first, "8h");
  square(first, "6f");
  expect("solved", kinds(first), "right");
  expect("answer", answer(first).open, true);
  expect("best", button(first, "8h6f").className, "best chosen");
  expect("score after one", score.textContent.startsWith("1 / 2"), true);
  expect("board", first.querySelector("desc").textContent.includes(" w "), true);
  // A line is played on the board, and the question comes back.
  const links = [...answer(first).querySelectorAll("li:nth-child(2) .pv a")];
  links[2].click();
  expect("line", links[2].className, "now");
  expect("board of the line", first.querySelector("desc").textContent.includes(" w "), true);
  links[2].click();
  expect("board of the question", first.querySelector("desc").textContent.includes(" b "), true);
  verdict(first).querySelector("button").click();
  expect("again", kinds(first) + answer(first).open, "false");
  expect("score again", score.textContent.startsWith("0 / 2"), true);
  button(first, "9g9f").click();
  expect("wrong", kinds(first), "wrong");
  expect("chosen", button(first, "9g9f").className, "chosen");
  expect("best of a wrong one", button(first, "8h6f").className, "best");

  // White: a bishop in hand, which stands below, and a promotion.
  click(second, 572, 187);
  expect("hand", mark(second), 1);
  square(second, "5e");
  expect("drop", kinds(second), "wrong");
  expect("none of the best", verdict(second).textContent.startsWith(score.dataset.other), true);
  verdict(second).querySelector("button").click();
  square(second, "5g");
  square(second, "5h");
  expect("asks for the promotion", second.querySelector(".promotion").hidden, false);
  second.querySelector(".promotion [data-p='+']").click();
  expect("promoted", kinds(second), "right");
  expect("promotion is hidden", second.querySelector(".promotion").hidden, true);
  expect("images", document.images.length, 0);
  expect("no sideways scroll", document.documentElement.scrollWidth <= window.innerWidth, true);
  const check = document.createElement("pre");
  check.id = "check";
  check.textContent = faults.length ? faults.slice(0, 20).join("\n") : "fine";
  document.body.append(check);
})();
