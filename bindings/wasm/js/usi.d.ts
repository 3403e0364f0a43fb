/** A USI engine in a worker: the interface of YaneuraOu's wasm builds, and of ShogiHome's `shogihome-wasm-engine/1`. */
export class UsiEngine {
    private constructor();
    static create(options?: UsiEngineOptions): Promise<UsiEngine>;
    /**
     * Hands a line to the engine. `stop` and `ponderhit` reach the search in progress; `position`, `go`, `isready`,
     * `usinewgame` and `gameover` end it and are executed after it; other lines wait for its end.
     */
    postMessage(command: string): void;
    /** Adds a receiver of the engine's lines. */
    addMessageListener(listener: (line: string) => void): void;
    removeMessageListener(listener: (line: string) => void): void;
    /** Ends the engine. There is no output after it, nor after `quit`. */
    terminate(): void;
}

export interface UsiEngineOptions {
    /** The module, if it does not lie beside the scripts; see `init`. */
    wasm?: string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module;
    /** Another network (nn.bin), as bytes or by its URL. */
    network?: Uint8Array | ArrayBuffer | string | URL;
    /** Receives the reason of a failure. */
    printErr?: (line: string) => void;
}

/** Makes an engine as GUIs do: the default export that the manifest `engine.json` names. */
export default function createEngine(options?: {
    printErr?: (line: string) => void;
    locateFile?: (path: string) => string;
    mainScriptUrlOrBlob?: string;
}): Promise<UsiEngine>;
