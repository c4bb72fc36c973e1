/** Which files of the repository import which, at run time, also by the names of packages. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { listRuntimeImports } from "./listImports.ts"

/** For each imported file those that import it; paths are relative to the root. */
export type ImportGraph = ReadonlyMap<string, ReadonlyArray<string>>

const folders = "{packages,examples,e2e,scripts,bench}"

export const makeImportGraph = (root: string): ImportGraph => {
  const entries = findEntries(root)
  const importers = new Map<string, Array<string>>()
  for (const file of findFiles(root, `${folders}/**/*.{ts,tsx}`)) {
    for (const specifier of listRuntimeImports(join(root, file))) {
      const imported = specifier.startsWith(".")
        ? join(file, "..", specifier)
        : entries.get(specifier)
      if (imported === undefined) continue
      const known = importers.get(imported)
      if (known === undefined) importers.set(imported, [file])
      else known.push(file)
    }
  }
  return importers
}

/** Files that import one of `files`, also through others, and in how many steps; `files` themselves in none. */
export const findDependents = (
  graph: ImportGraph,
  files: Iterable<string>
): ReadonlyMap<string, number> => {
  const steps = new Map(Array.from(files, (file) => [file, 0]))
  for (const [file, step] of steps)
    for (const importer of graph.get(file) ?? [])
      if (!steps.has(importer)) steps.set(importer, step + 1)
  return steps
}

/** Paths relative to `root`. */
export const findFiles = (root: string, pattern: string): ReadonlyArray<string> =>
  globSync(pattern, {
    cwd: root,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|data)$/.test(path)
  })

/** The sources of each entry of each package, such as of `@signalbox/core/upstream`. */
const findEntries = (root: string): ReadonlyMap<string, string> => {
  const entries = new Map<string, string>()
  for (const file of globSync("packages/*/package.json", { cwd: root })) {
    const { exports, name }: Manifest = JSON.parse(readFileSync(join(root, file), "utf8"))
    for (const [entry, target] of Object.entries(exports ?? {})) {
      const source = join(file, "..", target)
      if (existsSync(join(root, source))) entries.set(name + entry.slice(1), source)
    }
  }
  return entries
}

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string>>
}
