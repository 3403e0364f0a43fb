/** A running analysis: its reports one after the other, its result, and the way to stop it. */
export class Search {
    /** Reports that nobody has taken yet. The oldest are dropped if there are too many. */
    #reports = [];
    #isOver = false;
    #error;
    #wake;
    #stop;
    #settle;

    constructor(stop) {
        this.#stop = stop;
        this.result = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
        // Who only reads the reports gets the error there.
        this.result.catch(() => {});
    }

    stop() {
        if (!this.#isOver) {
            this.#stop();
        }
    }

    /** Adds a report. */
    report(analysis) {
        this.#reports.push(analysis);
        if (this.#reports.length > MOST_REPORTS) {
            this.#reports.shift();
        }
        this.#wake?.();
    }

    /** Ends the search with a result. */
    finish(result) {
        this.#isOver = true;
        this.#settle.resolve(result);
        this.#wake?.();
    }

    /** Ends the search with an error. */
    fail(error) {
        this.#isOver = true;
        this.#error = error;
        this.#settle.reject(error);
        this.#wake?.();
    }

    /** The reports that have come and those that will come. */
    async *[Symbol.asyncIterator]() {
        try {
            for (;;) {
                while (this.#reports.length > 0) {
                    yield this.#reports.shift();
                }
                if (this.#isOver) {
                    break;
                }
                await new Promise((resolve) => (this.#wake = resolve));
            }
            if (this.#error) {
                throw this.#error;
            }
        } finally {
            // A loop that is left ends the search.
            this.stop();
        }
    }
}

/** The largest number of reports that are kept for the loop. */
const MOST_REPORTS = 1_000;
