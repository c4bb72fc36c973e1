/** Enforces the architecture drawing: which folder of the core, and which package, may import which. */
import { existsSync, globSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { listImports, listRuntimeImports } from "./listImports.ts"

/**
 * The folders of packages/core/src from the lowest layer to the highest. `*` stands for any folder; `sharedFiles` and
 * `entryPointFiles` are the files at the root. A folder that is not listed and has an `http` folder is a domain.
 */
const layers: ReadonlyArray<ReadonlyArray<string>> = [
  ["values", "shared files"],
  ["secrets", "jobs", "questions", "observability", "outbound", "conversation"],
  ["accounts", "upstreams", "health", "ledger", "workspaces"],
  ["catalog", "auth", "webhooks", "dialects"],
  ["byok", "calibration", "guardrails"],
  ["routing"],
  ["experiments"],
  ["decisions", "chat", "listing", "videos", "vaults"],
  ["interns", "messages", "responses"],
  ["codecs", "memory"],
  ["http/errors"],
  ["http/contract", "http/body"],
  ["http/operation"],
  ["*/http", "http/reports"],
  ["domains.ts"],
  ["http"],
  ["ai"],
  ["entry points"]
]
const domainLayer = layers.findIndex((folders) => folders.includes("decisions"))
const sharedFiles = new Set([
  "Drain.ts",
  "Transaction.ts",
  "ChangeFeed.ts",
  "StorageStatus.ts",
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
  "ai.ts",
  "catalog.ts",
  "checkOptions.ts",
  "decodeOption.ts",
  "contract.ts",
  "dialects.ts",
  "index.ts",
  "initialRecords.ts",
  "iterateStream.ts",
  "layer.ts",
  "routes.ts",
  "simulator.ts",
  "storePorts.ts",
  "stores.ts",
  "upstream.ts"
])

/** What the sources of a package may import, by name; tests may also use the package itself and `testing`. */
const packageDependencies: Readonly<Record<string, ReadonlyArray<string>>> = {
  core: [],
  client: [],
  node: ["core"],
  express: ["core", "node"],
  fastify: ["core", "node"],
  web: ["core"],
  console: ["core"],
  sql: ["core"],
  anthropic: ["core"],
  openai: ["core"],
  "ai-sdk": ["core"],
  bedrock: ["core"],
  google: ["core"],
  openrouter: ["core"],
  redis: ["core"],
  cli: ["client", "console", "core", "node", "sql"],
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

/** How much a run of the tests covers, the lowest versions of hosts, and how programs are bundled are said once for the tests of all packages. */
const sharedByTests = ["/../vitest.scope.ts", "/../vitest.lowest.ts", "/../vitest.programs.ts"]

export interface Violation {
  readonly file: string
  readonly import: string
  readonly rule: string
}

/** The folder of a file given relative to packages/core/src, as `layers` lists it, and its layer. */
const locate = (
  sources: string,
  file: string
): { readonly folder: string; readonly layer: number } => {
  const [first = "", second, ...rest] = file.split("/")
  if (second === undefined) {
    const folder = sharedFiles.has(first)
      ? "shared files"
      : entryPointFiles.has(first)
        ? "entry points"
        : first
    return { folder, layer: findLayer(folder) }
  }
  const subfolder = rest.length > 0 ? `${first}/${second}` : first
  const listed = [subfolder, second === "http" && rest.length > 0 ? "*/http" : first]
  const layer = listed.map(findLayer).find((index) => index >= 0) ?? -1
  if (layer >= 0) {
    const isSubfolder = subfolder !== first && !layers[layer]?.includes(first)
    return { folder: isSubfolder ? subfolder : first, layer }
  }
  return { folder: first, layer: existsSync(join(sources, first, "http")) ? domainLayer : -1 }
}

const findLayer = (folder: string): number =>
  layers.findIndex((folders) => folders.includes(folder))

const checkLayer = (sources: string, from: string, to: string): string | undefined => {
  const importer = locate(sources, from)
  const imported = locate(sources, to)
  if (importer.layer < 0) return `${importer.folder} has no layer: add it to scripts/layers.ts`
  if (imported.layer < 0) return `${imported.folder} has no layer: add it to scripts/layers.ts`
  if (importer.folder === imported.folder || imported.layer < importer.layer) return undefined
  return imported.layer === importer.layer
    ? `${importer.folder} and ${imported.folder} are both in layer ${importer.layer} and may not import each other`
    : `${importer.folder} (layer ${importer.layer}) imports only lower layers; ${imported.folder} is in layer ${imported.layer}`
}

const checkPackage = (from: string, inSources: boolean, to: string): string | undefined => {
  const allowed = [...(packageDependencies[from] ?? []), ...(inSources ? [] : [from, "testing"])]
  if (packageDependencies[from] === undefined)
    return `packages/${from} has no dependencies: list them in scripts/layers.ts`
  if (allowed.includes(to)) return undefined
  return `${inSources ? "the sources" : "the tests"} of ${from} import only: ${allowed.join(", ") || "no other package"}`
}

/** Every import under `root`/packages that breaks a rule. */
export const listViolations = (root: string): ReadonlyArray<Violation> =>
  globSync("packages/*/{src,app,test,endurance}/**/*.{ts,tsx}", { cwd: root })
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
        if (area !== "src" && sharedByTests.some((path) => specifier.endsWith(path))) return []
        if (target.startsWith("..")) return found(`a relative import stays in ${sources}`)
        if (from !== "core" || area !== "src") return []
        return found(checkLayer(join(root, sources), relative(sources, file), target))
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
