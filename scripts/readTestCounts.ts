/** What a test run came to, read from the file vitest's JSON reporter wrote. */
import { existsSync, readFileSync } from "node:fs"

export interface TestCounts {
  readonly passed: number
  readonly failed: number
  /** The full names of the tests that did not run, todos included. */
  readonly skipped: ReadonlyArray<string>
}

interface Report {
  readonly testResults: ReadonlyArray<{
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly fullName: string }>
  }>
}

/** All zero when the run did not get as far as writing its report. */
export const readTestCounts = (file: string): TestCounts => {
  if (!existsSync(file)) return { passed: 0, failed: 0, skipped: [] }
  const report: Report = JSON.parse(readFileSync(file, "utf8"))
  const tests = report.testResults.flatMap((result) => result.assertionResults)
  return {
    passed: tests.filter((test) => test.status === "passed").length,
    failed: tests.filter((test) => test.status === "failed").length,
    skipped: tests
      .filter((test) => test.status !== "passed" && test.status !== "failed")
      .map((test) => test.fullName)
  }
}
