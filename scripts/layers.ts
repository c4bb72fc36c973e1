/** Enforces the architecture drawing: which folder of the core, and which package, may import which. */
import { globSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { listImports, listRuntimeImports } from "./listImports.ts"

/** The folders of packages/core/src, floor by floor; `sharedFiles` and `entryPointFiles` are files at its root. */
const layers: ReadonlyArray<ReadonlyArray<string>> = [
  ["values", "ground"],
  ["secrets", "jobs", "questions", "observability", "outbound"],
  ["accounts", "upstreams", "health", "ledger", "workspaces"],
  ["catalog", "auth", "webhooks"],
  ["byok", "guardrails"],
  ["routing"],
  ["decisions", "chat", "listing", "videos", "vaults"],
  ["interns"],
  ["codecs", "memory"],
  ["http"],
  ["door"]
]
const sharedFiles = new Set([
  "Transaction.ts",
  "ChangeFeed.ts",
  "MemoryJournal.ts",
  "Settings.ts",
  "makeMemoryTable.ts"
])
const entryPointFiles = new Set([
  "Options.ts",
  "Pluggable.ts",
  "Signalbox.ts",
  "SignalboxError.ts",
  "adapter.ts",
  "checkOptions.ts",
  "contract.ts",
  "index.ts",
  "iterateStream.ts",
  "layer.ts",
  "memoryStores.ts",
  "routes.ts",
  "storePorts.ts",
  "stores.ts",
  "upstream.ts"
])

/** What the sources of a package may import, by name; tests may also use the package itself and `testing`. */
const packageDependencies: Readonly<Record<string, ReadonlyArray<string>>> = {
  core: [],
  node: ["core"],
  express: ["core", "node"],
  fastify: ["core", "node"],
  sql: ["core"],
  openai: ["core"],
  openrouter: ["core"],
  redis: ["core"],
  testing: ["core"]
}

/** Planning is pure: what its files import at run time, also through others, is one of these modules or relative. */
const pureFolder = "packages/core/src/routing/plan"
const pureModules: ReadonlySet<string> = new Set([
  "effect/Array",
  "effect/BigDecimal",
  "effect/Data",
  "effect/Function",
  "effect/Option",
  "effect/Order",
  "effect/Predicate",
  "effect/Record",
  "effect/Result",
  "effect/Schema"
])

/** How much a run of the tests covers is said once for all packages. */
const testScope = "/../vitest.scope.ts"

export interface Violation {
  readonly file: string
  readonly import: string
  readonly rule: string
}

/** The floor of a file given relative to packages/core/src, and the folder that has it. */
const locate = (file: string): { readonly folder: string; readonly layer: number } => {
  const [first = "", ...rest] = file.split("/")
  const atRoot = sharedFiles.has(first) ? "ground" : entryPointFiles.has(first) ? "door" : first
  const folder = rest.length > 0 ? first : atRoot
  return { folder, layer: layers.findIndex((folders) => folders.includes(folder)) }
}

const checkLayer = (from: string, to: string): string | undefined => {
  const importer = locate(from)
  const imported = locate(to)
  if (importer.layer < 0) return `${importer.folder} stands on no floor: give it one in floors.ts`
  if (imported.layer < 0) return `${imported.folder} stands on no floor: give it one in floors.ts`
  if (importer.folder === imported.folder || imported.layer < importer.layer) return undefined
  return imported.layer === importer.layer
    ? `${importer.folder} and ${imported.folder} share floor ${importer.layer} and do not know each other`
    : `${importer.folder} (floor ${importer.layer}) imports only earlier floors; ${imported.folder} is floor ${imported.layer}`
}

const checkPackage = (from: string, inSources: boolean, to: string): string | undefined => {
  const allowed = [...(packageDependencies[from] ?? []), ...(inSources ? [] : [from, "testing"])]
  if (packageDependencies[from] === undefined)
    return `packages/${from} has no arrows: give it some in floors.ts`
  if (allowed.includes(to)) return undefined
  return `${inSources ? "the sources" : "the tests"} of ${from} import only: ${allowed.join(", ") || "no other package"}`
}

/** Every import under `root`/packages that goes against the drawing. */
export const listViolations = (root: string): ReadonlyArray<Violation> =>
  globSync("packages/*/{src,test,endurance}/**/*.ts", { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const [, from = "", area = ""] = file.split("/")
      const sources = join("packages", from, area === "src" ? "src" : "")
      return listImports(join(root, file)).flatMap((specifier): ReadonlyArray<Violation> => {
        const found = (rule: string | undefined): ReadonlyArray<Violation> =>
          rule === undefined ? [] : [{ file, import: specifier, rule }]
        const named = /^@signalbox\/([^/]+)/.exec(specifier)?.[1]
        if (named !== undefined) return found(checkPackage(from, area === "src", named))
        if (!specifier.startsWith(".")) return []
        const target = relative(sources, relative(root, resolve(root, dirname(file), specifier)))
        if (area !== "src" && specifier.endsWith(testScope)) return []
        if (target.startsWith("..")) return found(`a relative import stays in ${sources}`)
        if (from !== "core" || area !== "src") return []
        return found(checkLayer(relative(sources, file), target))
      })
    })

/** Every import by which planning would reach a clock, randomness, a service or other I/O. */
export const listImpurities = (root: string): ReadonlyArray<Violation> => {
  const pending = globSync(`${pureFolder}/**/*.ts`, { cwd: root }).toSorted()
  const visited = new Set<string>()
  const found: Array<Violation> = []
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (visited.has(file)) continue
    visited.add(file)
    for (const specifier of listRuntimeImports(join(root, file))) {
      if (specifier.startsWith(".")) pending.push(join(dirname(file), specifier))
      else if (!pureModules.has(specifier)) {
        const rule = `${pureFolder} reaches only pure modules: ${[...pureModules].join(", ")}`
        found.push({ file, import: specifier, rule })
      }
    }
  }
  return found
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, "..")
  const found = [...listViolations(root), ...listImpurities(root)]
  for (const { file, import: specifier, rule } of found) {
    console.error(`${file}\n  imports ${specifier}\n  ${rule}`)
  }
  if (found.length > 0) process.exitCode = 1
  else console.log("every import follows the layers and the package dependencies")
}
