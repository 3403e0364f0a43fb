// Moves by mouse, touch and keyboard: a piece is dragged, or pressed and then its target.

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class BoardInput {
  /**
   * Input for a view. The rules are another object, asked anew each time: `canPick(at)`, `targets(at)`,
   * `drop(from, to)` (`to` may be a stand or null), `changed(picked)` when something was picked up or put back.
   */
  constructor(view, rules) {
    this.view = view;
    this.rules = rules;
    this.picked = null;
    const { overlay } = view;
    overlay.addEventListener("pointerdown", (event) => this.down(event));
    overlay.addEventListener("pointermove", (event) => this.move(event));
    overlay.addEventListener("pointerup", (event) => this.up(event));
    overlay.addEventListener("pointercancel", () => this.cancelDrag());
    overlay.addEventListener("keydown", (event) => this.key(event));
    overlay.addEventListener("contextmenu", (event) => this.drag && event.preventDefault());
    overlay.addEventListener("touchstart", (event) => this.guard(event), { passive: false });
  }

  /** Picks up the piece of a place, or puts it back. */
  pick(at) {
    const before = this.picked;
    this.picked = at;
    this.view.mark(at, at ? this.rules().targets(at) : []);
    if (before !== at) this.rules().changed(at);
  }

  /** Marks again what is picked up, after the board was drawn. */
  renew() {
    this.view.mark(this.picked, this.picked ? this.rules().targets(this.picked) : []);
  }

  /** Presses a place: picks up, puts down, or changes the piece that is held. */
  press(at) {
    const rules = this.rules();
    if (this.picked === at) {
      this.pick(null);
      rules.again?.(at);
    } else if (this.picked && !(rules.canPick(at) && rules.prefersPick(this.picked, at))) {
      const from = this.picked;
      this.pick(null);
      rules.drop(from, at);
    } else if (at && rules.canPick(at)) {
      this.pick(at);
    } else {
      this.pick(null);
      if (at) rules.missed?.(at);
    }
  }

  /** Keeps a touch on a piece from scrolling the page; elsewhere on the board it may. */
  guard(event) {
    const at = event.touches.length === 1 && this.view.at(this.view.point(event.touches[0]));
    if (at && (this.picked || this.rules().canPick(at))) event.preventDefault();
  }

  down(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    // The focus stays where it is, so that the arrow keys go through the record.
    event.preventDefault();
    const at = this.view.at(this.view.point(event));
    this.drag = { at, x: event.clientX, y: event.clientY, moving: false, could: Boolean(at) && this.rules().canPick(at) };
    if (this.drag.could) this.view.overlay.setPointerCapture(event.pointerId);
  }

  move(event) {
    const { drag } = this;
    if (!drag?.could) return;
    if (!drag.moving) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
      drag.moving = true;
      this.pick(drag.at);
    }
    this.view.drag(drag.at, this.view.point(event));
  }

  up(event) {
    const { drag } = this;
    this.drag = null;
    if (!drag) return;
    if (!drag.moving) return this.press(drag.at);
    this.view.drag(drag.at, null);
    const to = this.view.at(this.view.point(event));
    this.pick(null);
    if (to !== drag.at) this.rules().drop(drag.at, to);
  }

  cancelDrag() {
    if (this.drag?.moving) {
      this.view.drag(this.drag.at, null);
      this.pick(null);
    }
    this.drag = null;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = event.target.dataset.at;
    if (DIRECTIONS[event.key]) this.view.focus(this.view.neighbour(at, DIRECTIONS[event.key]));
    else if (event.key === "Enter" || event.key === " ") this.press(at);
    else if (event.key === "Escape" && this.picked) this.pick(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
