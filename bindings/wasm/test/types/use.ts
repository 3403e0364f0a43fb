// A program that uses every part of the interface. The test compiles it and does not run it.

import init, { Engine, GameRecord, KomadaiError, Position, checkProblem, hasSimd, problems, solveMate } from "komadai";
import type { Analysis, AnalysisResult, Color, MateResult, Problem, Score } from "komadai";
import createEngine, { UsiEngine } from "komadai/usi";

await init();
await init({ wasm: new URL("https://example.org/komadai.wasm") });
const fast: boolean = hasSimd();

const position = new Position();
const edited = Position.fromPieces({ board: { "5i": "K" }, hands: { black: { P: 1 } }, turn: "white" });
const turn: Color = position.turn;
const reason: string | undefined = position.whyIllegal("7g7e");
const names: string[] = position.line(["7g7f"], "western");
const picture: string = edited.svg({ flipped: true, arrows: ["7g7f", { move: "2g2f", kind: "good" }], dark: true });

const record = GameRecord.parse(new Uint8Array(), { format: "kif", lenient: true });
const last: number = record.add(record.root, "7g7f");
const { text, lost }: { text: string; lost: string[] } = record.text("csa");

const mate: MateResult = solveMate(position, { nodes: 1_000, goal: "shortest" });
await problems.load();
const problem: Problem | undefined = problems.get(problems.ofPlies(3)[0]);
const sound: boolean = checkProblem("startpos").sound;

const engine = await Engine.create({ hash: 16, network: new Uint8Array(), options: { MultiPV: 2 } });
const search = engine.analyse({ moves: ["7g7f"] }, { time: 1_000, multipv: 2 });
for await (const analysis of search) {
    const shown: Analysis = analysis;
    const score: Score = shown.lines[0].score;
    console.log(score.kind === "cp" ? score.value : score.plies);
}
const result: AnalysisResult = await search.result;
const move: string = await engine.play(position, { level: 3 });

const usi: UsiEngine = await createEngine({ locateFile: (name) => name });
usi.addMessageListener((line: string) => console.log(line));
usi.postMessage("usi");

// @ts-expect-error: there is no such notation.
position.name("7g7f", "klingon");
// @ts-expect-error: there is no such format.
record.text("pgn");
// @ts-expect-error: positions have no setter.
position.sfen = "";

if (new KomadaiError("sfen", "text").code === "sfen") {
    console.log(fast, turn, reason, names, picture, last, text, lost, mate, problem, sound, result, move);
}
