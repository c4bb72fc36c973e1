/** Runs checks and tests in parallel, reports each failure as it happens, and ends with a line of counts. */
import { spawn } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { listChangedFiles } from "./changedFiles.ts"
import { listDefaultTests, listNearestTests, listRestTests, readDurations } from "./selectTests.ts"
import { readTestCounts } from "./readTestCounts.ts"

const root = join(import.meta.dirname, "..")

/**
 * `test` samples long tests, and leaves those on demand. `all` runs everything in full, and measures coverage. `rest`
 * completes `test`: in full what that samples or leaves, and the packages as published. `changed` runs the tests nearest
 * to uncommitted changes.
 */
type Mode = "test" | "all" | "rest" | "changed"

const hasFlag = (flag: string): boolean =>
  process.argv.some((arg) => arg === flag || arg.startsWith(`${flag}=`))
const mode: Mode =
  (["all", "rest", "changed"] as const).find((mode) => hasFlag(`--${mode}`)) ?? "test"
const isFull = mode === "all" || mode === "rest"

const toResultsFile = (run: "changed" | "full" | "sample"): string =>
  join(root, `node_modules/.cache/vitest-${run}.json`)
const results = toResultsFile(isFull ? "full" : mode === "changed" ? "changed" : "sample")

interface Step {
  readonly name: string
  readonly command: string
  readonly arguments: ReadonlyArray<string>
  readonly remedy: string
}

const tool = (name: string, bin: string, args: ReadonlyArray<string>, remedy: string): Step => ({
  name,
  command: join(root, "node_modules/.bin", bin),
  arguments: args,
  remedy
})
const script = (name: string, args: ReadonlyArray<string>, remedy: string): Step => ({
  name,
  command: process.execPath,
  arguments: args,
  remedy
})

const types = tool(
  "types",
  "tsc",
  ["-b"],
  "correct the types above; `npm run check` repeats this step"
)
const snippets = script(
  "snippets",
  ["scripts/checkSnippets.ts"],
  "correct the TypeScript block; the file above is named after its page and first line"
)
const lintRemedy = "run `npm run fix`, then correct what is left"
/** Without the rules that need types, which take most of a minute. */
const quickLint = tool("lint", "oxlint", ["-c", ".oxlintrc.quick.json"], lintRemedy)
const lint = tool("lint by types", "oxlint", [], lintRemedy)
const format = tool("format", "oxfmt", ["--check", "."], "run `npm run fix`")
const deadCode = tool("dead code", "knip", [], "use, delete or declare what is listed above")
const layers = script(
  "layers",
  ["scripts/layers.ts"],
  "move the code, or the import, as ARCHITECTURE.md says"
)
const apiReport = script(
  "api report",
  ["scripts/api-report.ts", "--check"],
  "run `npm run api`, review, commit"
)
const pack = script(
  "pack",
  ["scripts/pack-check.ts"],
  "the packages do not work as published: see above"
)
// After the packing, because only one build at a time may write the bundles.
const mission = tool(
  "mission",
  "vitest",
  ["run", "--config", "vitest.acceptance.config.ts"],
  "an application that installs the packages fails: see above"
)
const size = script(
  "size",
  ["scripts/size.ts"],
  "import less, or raise the budget in scripts/size.ts and say why"
)
const makeTestStep = (...args: ReadonlyArray<string>): Step =>
  script(
    "tests",
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      ...args,
      "--reporter=./vitest.progress.ts",
      "--silent=passed-only",
      "--reporter=json",
      `--outputFile.json=${results}`
    ],
    "read the first failing test above; `npx vitest run <file>` repeats one file"
  )

/** What imports an uncommitted change, or one since the commit of the flag, within the minute that people wait for. */
const makeChangedTestStep = (): Step => {
  const flag = process.argv.find((arg) => arg.startsWith("--changed")) ?? "--changed"
  const changed = listChangedFiles(root, flag.split("=")[1] ?? "HEAD")
  const { files, left } = listNearestTests(root, changed, {
    results: [toResultsFile("full"), toResultsFile("sample")],
    seconds: 60
  })
  if (left > 0) console.log(`${left} further test files import what has changed: \`npm test\``)
  return makeTestStep("--passWithNoTests", ...(files.length === 0 ? ["no test file"] : files))
}

/** Steps of one sequence depend on each other or are short; sequences run in parallel. */
const makeSequences: Readonly<Record<Mode, () => ReadonlyArray<ReadonlyArray<Step>>>> = {
  test: () => [
    [makeTestStep(...listDefaultTests(root, listChangedFiles(root)))],
    [types, snippets, apiReport],
    [quickLint, format, deadCode, layers]
  ],
  all: () => [
    [makeTestStep("--coverage")],
    [types, snippets, apiReport, pack, mission, size],
    [lint, format, deadCode, layers]
  ],
  rest: () => [[makeTestStep(...listRestTests(root))], [lint, types, pack, mission, size]],
  changed: () => [[makeChangedTestStep()], [types], [quickLint, format]]
}

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** Prints the output of a step in one piece when it ends. The tests take long, so their output appears at once. */
const run = async ({ arguments: args, command, name }: Step): Promise<boolean> => {
  const began = performance.now()
  const isLong = name === "tests"
  const child = spawn(command, args, {
    cwd: root,
    stdio: isLong ? "inherit" : ["ignore", "pipe", "pipe"],
    ...(isFull && isLong ? { env: { ...process.env, SIGNALBOX_TESTS: "full" } } : undefined)
  })
  const output: Array<Buffer> = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (piece: Buffer) => void output.push(piece))
  }
  const isPassed = await new Promise<boolean>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) => resolve(code === 0))
  })
  const end = `== ${name}: ${isPassed ? "ok" : "FAILED"} in ${seconds(began)}`
  console.log([Buffer.concat(output).toString().trimEnd(), end].filter(Boolean).join("\n"))
  return isPassed
}

// In CI a skipped test goes unnoticed, so it is a failure.
const skipsFail = process.env["CI"] === "true" && !process.argv.includes("--allow-skips")
const start = performance.now()
const failures: Array<Pick<Step, "name" | "remedy">> = []

rmSync(results, { force: true })
const sequences = makeSequences[mode]()
await Promise.all(
  sequences.map(async (sequence) => {
    for (const step of sequence) {
      if (await run(step)) continue
      failures.push(step)
      return
    }
  })
)

const counts = readTestCounts(results)
for (const name of counts.skipped) console.log(`skipped: ${name}`)
// Code that a test leaves running may change the exit code of vitest.
if (counts.failed > 0 && !failures.some(({ name }) => name === "tests")) {
  failures.push(sequences[0]![0]!)
}
if (counts.skipped.length > 0 && skipsFail) {
  failures.push({ name: "skipped tests", remedy: "run them too; their names are above" })
}

const maxDefaultSeconds = 240
if (mode === "test" && performance.now() - start > maxDefaultSeconds * 1000) {
  const slowest = [...readDurations(root, [results])]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 5)
  console.warn(
    `\nThis took more than ${maxDefaultSeconds} s. If nothing else kept the machine busy, move what takes long to ` +
      "`testsOnDemand` in vitest.scope.ts. The slowest files:"
  )
  for (const [file, taken] of slowest) console.warn(`  ${taken.toFixed(1)} s  ${file}`)
}

for (const { name, remedy } of failures) console.error(`\n${name} failed. What to do: ${remedy}`)
console.log(
  `\n${failures.length === 0 ? "everything passed" : "not everything passed"} after ${seconds(start)}`
)
// The counts of `--rest` include the counts of the run that it completes.
const { failed, passed, skipped } =
  mode === "rest" ? readTestCounts(toResultsFile("sample"), results) : counts
// A failed check counts as one failure, so that the last line never contradicts the exit code.
console.log(
  `${passed} passed, ${failures.length === 0 ? failed : Math.max(failed, 1)} failed, ${skipped.length} skipped`
)
process.exitCode = failures.length === 0 ? 0 : 1
