// Elements without markup in strings: texts from records never become HTML.

/** Returns an element; `on…` attributes are listeners, `false` and `null` ones are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in { value: 1, checked: 1, selected: 1, disabled: 1, hidden: 1, textContent: 1 }) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const byId = (id) => document.getElementById(id);

/**
 * Returns a picture of the library as an element. The page has its style sheet already, and the policy of the page
 * refuses the one within the picture.
 */
export function picture(svg) {
  const text = svg.replace(/<style>[^<]*<\/style>/, "");
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

/** Returns a button with a sign, and its name for those who do not see the sign. */
export function signButton(id, sign, name, action) {
  return h("button", { id, type: "button", "aria-label": name, title: name, onclick: action }, sign);
}

/** Returns a list of choices; `options` are pairs of a value and its name. */
export function choice(id, label, options, value, change) {
  const select = h("select", { id, onchange: (event) => change(event.target.value) },
    options.map(([key, name]) => h("option", { value: key, selected: String(key) === String(value) }, name)));
  return h("label", {}, label, " ", select);
}

/** Shows a dialogue with a title and a button that closes it; it is removed when it closes. */
export function dialogue(id, title, closeName, ...content) {
  const heading = h("h2", { id: `${id}-title` }, title);
  const close = h("button", { type: "button", class: "close", "aria-label": closeName, title: closeName, onclick: () => box.close() }, "×");
  const box = h("dialog", { id, "aria-labelledby": `${id}-title`, onclose: () => box.remove() },
    h("header", {}, heading, close), ...content);
  // A click beside the box, on its backdrop, closes it.
  box.addEventListener("click", (event) => event.target === box && box.close());
  byId(id)?.remove();
  document.body.append(box);
  box.showModal();
  return box;
}

let timer = 0;

/** Shows a sentence for some seconds, above dialogues too, and tells it to screen readers. */
export function say(text, kind = "") {
  clearTimeout(timer);
  showMessage([text], kind);
  timer = setTimeout(hideMessage, 3000 + 60 * text.length);
}

/** Shows a message that stays. */
export function showMessage(content, kind = "") {
  const place = byId("message");
  place.className = kind;
  place.replaceChildren(...content);
  place.hidden = false;
  // Browsers without popovers show it below a dialogue.
  if (!place.showPopover) return;
  place.popover = "manual";
  if (place.matches(":popover-open")) place.hidePopover();
  place.showPopover();
}

export function hideMessage() {
  const place = byId("message");
  place.hidden = true;
  if (place.hidePopover && place.matches(":popover-open")) place.hidePopover();
}

/** Copies a text to the clipboard; returns whether it could. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = h("textarea", { class: "offscreen" });
    field.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
