// Which of the bundled problems were solved: a bit each, kept in the browser.

const KEY = "komadai.tsume";

let bits = new Uint8Array(0);

/** Reads what was kept, for this number of problems. */
export function loadProgress(count) {
  bits = new Uint8Array(Math.ceil(count / 8));
  try {
    const text = atob(localStorage.getItem(KEY) ?? "");
    for (let index = 0; index < Math.min(bits.length, text.length); index++) bits[index] = text.charCodeAt(index);
  } catch {
    // What cannot be read is no progress.
  }
}

export const isSolved = (problem) => Boolean(bits[problem >> 3] & (1 << (problem & 7)));

export function markSolved(problem) {
  bits[problem >> 3] |= 1 << (problem & 7);
  try {
    localStorage.setItem(KEY, btoa(String.fromCharCode(...bits)));
  } catch {
    // Without storage the progress lasts as long as the page.
  }
}
