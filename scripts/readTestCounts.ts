/** Counts passed, failed and skipped tests in the files of vitest's JSON reporter. */
import { existsSync, readFileSync } from "node:fs"

export interface TestCounts {
  readonly passed: number
  readonly failed: number
  /** The full names of the tests that did not run, including todos. */
  readonly skipped: ReadonlyArray<string>
}

interface Report {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly fullName: string }>
  }>
}

/** Counts a test of several runs once: as failed if one run failed, as skipped if all runs skipped it. */
export const readTestCounts = (...files: ReadonlyArray<string>): TestCounts => {
  const tests = new Map<string, { readonly fullName: string; readonly statuses: Array<string> }>()
  for (const { testResults } of files.map(readReport)) {
    const seen = new Map<string, number>()
    for (const { assertionResults, name } of testResults) {
      for (const { fullName, status } of assertionResults) {
        const title = `${name}\n${fullName}`
        const nth = seen.get(title) ?? 0
        seen.set(title, nth + 1)
        const key = `${title}\n${nth}`
        const test = tests.get(key) ?? { fullName, statuses: [] }
        test.statuses.push(status)
        tests.set(key, test)
      }
    }
  }
  const all = [...tests.values()]
  const failed = all.filter(({ statuses }) => statuses.includes("failed"))
  const passed = all.filter((test) => !failed.includes(test) && test.statuses.includes("passed"))
  const rest = all.filter((test) => !failed.includes(test) && !passed.includes(test))
  return {
    passed: passed.length,
    failed: failed.length,
    skipped: rest.map(({ fullName }) => fullName)
  }
}

/** Empty if the run ended before it wrote its report. */
const readReport = (file: string): Report =>
  existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { testResults: [] }
