// Writes engine.json, by which GUIs find the engine: `node manifest.mjs FOLDER`. Its options are those that the engine
// in the folder states, so that they are in one place.

import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const { default: createEngine } = await import(pathToFileURL(join(folder, "usi.js")));
const engine = await createEngine();

/** Reads `option name … type spin default 1 min 0 max 2`. */
function optionOf(line) {
    const [, name, type, rest] = /^option name (\S+) type (\w+) ?(.*)$/.exec(line);
    const words = { default: undefined, min: undefined, max: undefined };
    for (const [, word, value] of rest.matchAll(/(default|min|max) (.*?)(?= (?:default|min|max|var) |$)/g)) {
        words[word] = type === "spin" ? Number(value) : value;
    }
    const vars = [...rest.matchAll(/var (\S+)/g)].map((match) => match[1]);
    return { name, type, ...words, ...(vars.length > 0 && { vars }) };
}

const said = await new Promise((done) => {
    const lines = [];
    engine.addMessageListener((line) => (line === "usiok" ? done(lines) : lines.push(line)));
    engine.postMessage("usi");
});
engine.terminate();

const of = (word) => said.find((line) => line.startsWith(`id ${word} `)).slice(4 + word.length);
// The ids of presets never change: GUIs keep them in the settings of their users.
const levels = Array.from({ length: 10 }, (_, index) => index + 1);
const manifest = {
    abi: "shogihome-wasm-engine/1",
    module: "usi.js",
    moduleFormat: "esm",
    name: of("name"),
    author: of("author"),
    licenses: [{ spdx: "MIT", file: "LICENSE.txt", source: "https://github.com/komadai/komadai" }],
    options: said.filter((line) => line.startsWith("option ")).map(optionOf),
    presets: [
        ...levels.map((level) => ({
            id: `komadai-level-${level}`,
            displayName: `komadai Lv.${level}`,
            values: { SkillLevel: level },
            tags: ["game"],
            mobileGame: { label: `komadai Lv.${level}` },
        })),
        { id: "komadai", displayName: "komadai", values: {}, tags: ["game", "research", "mate"] },
    ],
};
writeFileSync(join(folder, "engine.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
