import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, copyFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { folder } from "./package.mjs";

// KOMADAI_NODE_MODULES is a folder with typescript and the oracles; see `.ci/wasm`.
const modules = process.env.KOMADAI_NODE_MODULES ?? "";
const compiler = join(modules, "typescript", "bin", "tsc");

test("the types fit a program that uses all of them", { skip: !existsSync(compiler) && "there is no TypeScript" }, () => {
    const project = mkdtempSync(join(tmpdir(), "komadai-types-"));
    try {
        mkdirSync(join(project, "node_modules"));
        symlinkSync(folder, join(project, "node_modules", "komadai"));
        copyFileSync(fileURLToPath(new URL("types/use.ts", import.meta.url)), join(project, "use.ts"));
        writeFileSync(join(project, "package.json"), '{"type": "module"}');
        const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom"];
        const run = spawnSync(process.execPath, [compiler, ...options, "use.ts"], { cwd: project, encoding: "utf8" });
        assert.equal(run.status, 0, run.stdout + run.stderr);
    } finally {
        rmSync(project, { recursive: true, force: true });
    }
});
