import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { testsOnDemand } from "../../vitest.scope.ts"
import { listChangedFiles } from "../changedFiles.ts"
import { findFiles } from "../importGraph.ts"
import { listDefaultTests, listNearestTests, listRestTests } from "../selectTests.ts"

const root = join(import.meta.dirname, "../..")
const everyTest = findFiles(root, "{packages,examples,e2e,scripts,bench}/**/*.test.ts")

describe("the tests of this repository", () => {
  it("run by default or in the rest", () => {
    const run = new Set([...listDefaultTests(root, []), ...listRestTests(root)])
    expect(everyTest.filter((file) => !run.has(file))).toEqual([])
  })

  it.each(testsOnDemand)("on demand exist: $files", ({ files }) => {
    for (const pattern of files) expect(findFiles(root, pattern)).not.toEqual([])
  })

  it.each(testsOnDemand)("on demand have a subject that exists: $subject", ({ subject }) => {
    for (const pattern of subject) expect(findFiles(root, pattern)).not.toEqual([])
  })

  it("on demand run when a file of their subject has changed", () => {
    const untouched = listDefaultTests(root, ["packages/core/src/values/json/guards.ts"])
    expect(untouched.filter((file) => file.startsWith("packages/cli/"))).toEqual([])
    const touched = listDefaultTests(root, ["packages/cli/src/commands/serve.ts"])
    expect(touched).toContain("packages/cli/test/simulate.test.ts")
    expect(touched).not.toContain("packages/web/test/hosts.test.ts")
  })
})

describe("the tests nearest to a change", () => {
  let folder: string
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const listNearest = (seconds: number, durations: Readonly<Record<string, number>> = {}) => {
    const results = join(folder, "results.json")
    const testResults = Object.entries(durations).map(([name, taken]) => ({
      name: join(folder, name),
      startTime: 0,
      endTime: taken * 1000
    }))
    writeFileSync(results, JSON.stringify({ testResults }))
    return listNearestTests(folder, ["packages/core/src/plan.ts"], { results: [results], seconds })
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "nearest-"))
    write(
      "packages/core/package.json",
      JSON.stringify({
        name: "@signalbox/core",
        exports: { ".": "./src/index.ts", "./stores": "./src/stores.ts" }
      })
    )
    write("packages/core/src/plan.ts", "export const plan = 1")
    write("packages/core/src/stores.ts", "export const stores = 1")
    write("packages/core/src/index.ts", 'export * from "./plan.ts"')
    write("packages/core/test/plan.test.ts", 'import { plan } from "../src/plan.ts"')
    write("packages/node/test/make.test.ts", 'import { plan } from "@signalbox/core"')
    write("packages/sql/test/stores.test.ts", 'import { stores } from "@signalbox/core/stores"')
    write("e2e/chat/chat.test.ts", 'import "../support/start.ts"')
    write("e2e/support/start.ts", 'import { plan } from "@signalbox/core"')
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it("are found in other packages, the nearest first", () => {
    expect(listNearest(60)).toEqual({
      files: [
        "packages/core/test/plan.test.ts",
        "packages/node/test/make.test.ts",
        "e2e/chat/chat.test.ts"
      ],
      left: 0
    })
  })

  it("are as many as the time allows", () => {
    expect(listNearest(60, { "packages/node/test/make.test.ts": 100 })).toEqual({
      files: ["packages/core/test/plan.test.ts", "e2e/chat/chat.test.ts"],
      left: 1
    })
  })

  it("are those of commits that the upstream does not have, too", () => {
    const git = (...args: ReadonlyArray<string>): void => {
      const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
      execFileSync("git", [...identity, ...args], { cwd: folder, stdio: "ignore" })
    }
    git("init", "-b", "main")
    git("add", ".")
    git("commit", "-m", "First")
    git("branch", "upstream")
    git("branch", "-u", "upstream")
    write("packages/core/src/plan.ts", "export const plan = 2")
    git("commit", "-am", "Second")
    write("packages/core/src/index.ts", "")
    write("packages/core/src/new.ts", "")
    expect(listChangedFiles(folder)).toEqual([
      "packages/core/src/index.ts",
      "packages/core/src/plan.ts",
      "packages/core/src/new.ts"
    ])
    expect(listChangedFiles(folder, "HEAD")).toEqual([
      "packages/core/src/index.ts",
      "packages/core/src/new.ts"
    ])
  })
})
