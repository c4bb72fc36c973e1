/** Selects the test files of each mode of `scripts/verify.ts`; paths are relative to the root. */
import { existsSync, readFileSync } from "node:fs"
import { matchesGlob, relative } from "node:path"
import { onlyInFull, testsOnDemand } from "../vitest.scope.ts"
import { findDependents, findFiles, makeImportGraph } from "./importGraph.ts"
import { listScopedTests } from "./listScopedTests.ts"

const allTests = "{packages,examples,e2e,scripts,bench}/**/*.test.{ts,tsx}"

const matches = (file: string, patterns: ReadonlyArray<string>): boolean =>
  patterns.some((pattern) => matchesGlob(file, pattern))

/** What `npm test` runs: all but the tests on demand, and of those the ones whose subject has changed. */
export const listDefaultTests = (
  root: string,
  changed: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const left = testsOnDemand
    .filter(({ subject }) => !changed.some((file) => matches(file, subject)))
    .flatMap(({ files }) => files)
  return findFiles(root, allTests)
    .filter(
      (file) => !matches(file, onlyInFull) && (!matches(file, left) || changed.includes(file))
    )
    .toSorted()
}

/** What `npm run test:rest` runs in full: what `npm test` samples or leaves out. */
export const listRestTests = (root: string): ReadonlyArray<string> => {
  const onDemand = testsOnDemand.flatMap(({ files }) => files)
  const left = findFiles(root, allTests).filter((file) => matches(file, onDemand))
  return [...new Set([...listScopedTests(root), ...left])].toSorted()
}

export interface NearestTests {
  readonly files: ReadonlyArray<string>
  /** How many further files import what has changed. */
  readonly left: number
}

/**
 * The tests that import what has changed, also through other packages, in the fewest steps: as many as take `seconds`, by
 * the durations of the last runs in `results`. A file of the core is imported by nearly all.
 */
export const listNearestTests = (
  root: string,
  changed: ReadonlyArray<string>,
  { results, seconds }: { readonly results: ReadonlyArray<string>; readonly seconds: number }
): NearestTests => {
  const durations = readDurations(root, results)
  const near = [...findDependents(makeImportGraph(root), changed)]
    .filter(([file]) => /\.test\.tsx?$/.test(file) && !matches(file, onlyInFull))
    .toSorted(([one, steps], [other, otherSteps]) => steps - otherSteps || one.localeCompare(other))
  const files: Array<string> = []
  let total = 0
  for (const [file] of near) {
    const taken = durations.get(file) ?? unknownSeconds
    if (files.length > 0 && total + taken > seconds) continue
    total += taken
    files.push(file)
  }
  return { files, left: near.length - files.length }
}

/** The duration assumed for a file that has not run yet. */
const unknownSeconds = 2

interface Report {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly startTime: number
    readonly endTime: number
  }>
}

/** Seconds by file, of the last runs. */
export const readDurations = (
  root: string,
  results: ReadonlyArray<string>
): ReadonlyMap<string, number> =>
  new Map(
    results
      .filter((file) => existsSync(file))
      .flatMap((file): Report["testResults"] => JSON.parse(readFileSync(file, "utf8")).testResults)
      .map(({ endTime, name, startTime }) => [relative(root, name), (endTime - startTime) / 1000])
  )
