/** Lists the test files that `npm test` runs as a sample, and that therefore run again in full. */
import { onlyInFull } from "../vitest.scope.ts"
import { findDependents, findFiles, makeImportGraph } from "./importGraph.ts"

/** Paths relative to `root` of the test files that import `vitest.scope.ts`, also through others, or exist in full alone. */
export const listScopedTests = (root: string): ReadonlyArray<string> => {
  const reached = findDependents(makeImportGraph(root), ["vitest.scope.ts"])
  const sampled = [...reached.keys()].filter((file) => file.endsWith(".test.ts"))
  const left = onlyInFull.flatMap((pattern) => findFiles(root, pattern))
  return [...new Set([...sampled, ...left])].toSorted()
}
