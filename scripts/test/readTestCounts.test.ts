/** Counts the tests of a real run of the pinned vitest, so that a change of its report fails. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { readTestCounts } from "../readTestCounts.ts"

const root = join(import.meta.dirname, "../..")
let folder: string

beforeAll(() => {
  const cache = join(root, "node_modules/.cache")
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, "counts-"))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

it("counts nothing where there is no report", () => {
  expect(readTestCounts(join(folder, "none.json"))).toEqual({ passed: 0, failed: 0, skipped: [] })
})

it("counts what vitest reports, and names what it skipped", () => {
  writeFileSync(
    join(folder, "sample.check.ts"),
    `import { describe, expect, it } from "vitest"
it("passes", () => expect(1).toBe(1))
it("also passes", () => expect(1).toBe(1))
it("fails", () => expect(1).toBe(2))
it.todo("later")
describe.skip("without the material", () => {
  it("compares", () => {})
})
`
  )
  writeFileSync(
    join(folder, "vitest.config.mjs"),
    `export default { test: { include: ["*.check.ts"] } }\n`
  )
  const report = join(folder, "report.json")
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      "--reporter=json",
      `--outputFile=${report}`
    ],
    { cwd: folder, stdio: "ignore" }
  )
  expect(status).toBe(1)
  expect(readTestCounts(report)).toEqual({
    passed: 2,
    failed: 1,
    skipped: ["later", "without the material compares"]
  })
})
