/** Runs every check and every test in order, stops at the first failure and ends with one plain line of counts. */
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { readTestCounts } from "./readTestCounts.ts"

const root = join(import.meta.dirname, "..")
const results = join(root, "node_modules/.cache/vitest.json")

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

const tests = script(
  "tests",
  [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--coverage",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${results}`
  ],
  "read the first failing test above; `npx vitest run <file>` repeats one file"
)

const steps: ReadonlyArray<Step> = [
  tool("types", "tsc", ["-b"], "correct the types above; `npm run check` repeats this step"),
  tool("lint", "oxlint", [], "`npm run fix` corrects what a machine can; the rest is yours"),
  tool("format", "oxfmt", ["--check", "."], "run `npm run fix`"),
  tool("dead code", "knip", [], "use, delete or declare what is listed above"),
  script("floors", ["scripts/layers.ts"], "move the code, or the import, as ARCHITECTURE.md says"),
  tests,
  script("api report", ["scripts/api-report.ts", "--check"], "run `npm run api`, review, commit"),
  script("pack", ["scripts/pack-check.ts"], "the packages do not work as published: see above"),
  script(
    "size",
    ["scripts/size.ts"],
    "import less, or raise the budget in scripts/size.ts and say why"
  )
]

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

// A skipped test proves nothing, so where nobody watches it is a failure.
const skipsFail = process.env["CI"] === "true" && !process.argv.includes("--allow-skips")
const start = performance.now()
let failure: Pick<Step, "name" | "remedy"> | undefined

rmSync(results, { force: true })
for (const step of steps) {
  console.log(`\n== ${step.name}`)
  const began = performance.now()
  const { status } = spawnSync(step.command, step.arguments, { cwd: root, stdio: "inherit" })
  console.log(`== ${step.name}: ${status === 0 ? "ok" : "FAILED"} in ${seconds(began)}`)
  if (status !== 0) failure = step
  if (step === tests) {
    const { failed, skipped } = readTestCounts(results)
    // What a test leaves behind may end the process with a code of its own.
    if (failed > 0) failure ??= step
    for (const name of skipped) console.log(`skipped: ${name}`)
    if (skipped.length > 0 && skipsFail) {
      failure ??= { name: "skipped tests", remedy: "in CI every test runs: see the names above" }
    }
  }
  if (failure !== undefined) break
}

if (failure !== undefined) console.error(`\n${failure.name} failed. What to do: ${failure.remedy}`)
console.log(`\n${failure === undefined ? "everything passed" : "stopped"} after ${seconds(start)}`)
// A failed check counts as one failure, so that the last line never contradicts the exit code.
const { passed, failed, skipped } = readTestCounts(results)
const failures = failure === undefined ? failed : Math.max(failed, 1)
console.log(`${passed} passed, ${failures} failed, ${skipped.length} skipped`)
process.exitCode = failure === undefined ? 0 : 1
