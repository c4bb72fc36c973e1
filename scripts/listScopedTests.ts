/** Lists the test files of which `npm test` runs a sample, and which therefore run again in full. */
import { globSync } from "node:fs"
import { join, relative } from "node:path"
import { onlyInFull } from "../vitest.scope.ts"
import { listRuntimeImports } from "./listImports.ts"

const folders = "{packages,examples,e2e,scripts,bench}"
const tests = `${folders}/**/*.test.ts`

/** Paths relative to `root` of the test files that import `vitest.scope.ts`, also through others, or exist in full alone. */
export const listScopedTests = (root: string): ReadonlyArray<string> => {
  const scope = join(root, "vitest.scope.ts")
  const importers = new Map<string, Array<string>>()
  for (const file of find(root, `${folders}/**/*.{ts,tsx}`)) {
    for (const specifier of listRuntimeImports(file)) {
      if (!specifier.startsWith(".")) continue
      const imported = join(file, "..", specifier)
      importers.set(imported, [...(importers.get(imported) ?? []), file])
    }
  }
  const reached = new Set([scope])
  for (const file of reached)
    for (const importer of importers.get(file) ?? []) reached.add(importer)
  const found = find(root, tests).filter((file) => reached.has(file))
  return [...new Set([...found, ...onlyInFull.flatMap((pattern) => find(root, pattern))])]
    .map((file) => relative(root, file))
    .toSorted()
}

const find = (root: string, pattern: string): ReadonlyArray<string> =>
  globSync(pattern, {
    cwd: root,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|data)$/.test(path)
  }).map((file) => join(root, file))
