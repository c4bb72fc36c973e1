/** Enforces the architecture drawing: which folder of the core, and which package, may import which. */
import { globSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { listImports, listRuntimeImports } from "./listImports.ts"

/**
 * The rooms of packages/core/src from the lowest layer to the highest, by the longest path that begins a file's: rooms of
 * one layer do not import each other. A folder of `domains/` or `api/` that is not listed is an ordinary one.
 */
const layers: ReadonlyArray<ReadonlyArray<string>> = [
  ["values"],
  ["instance"],
  ["conversation", "questions"],
  ["engine/filters", "engine/jobs", "engine/observability", "engine/outbound", "engine/secrets"],
  ["engine/upstreams", "engine/health", "engine/ledger", "engine/cache"],
  ["engine/catalog", "dialects"],
  ["tenants/accounts", "tenants/workspaces"],
  ["tenants/auth", "tenants/webhooks"],
  ["tenants/byok", "tenants/guardrails"],
  ["routing"],
  ["domains/calibration", "domains/experiments", "domains/presets"],
  ["domains/*"],
  ["domains/interns", "domains/messages", "domains/responses"],
  ["domains/people"],
  ["codecs", "memory"],
  ["api/errors"],
  ["api/contract", "api/body"],
  ["api/operation"],
  ["api/*"],
  ["domains.ts"],
  ["api"],
  ["api/reference"],
  ["api/server"],
  ["api/inProcess"],
  ["ai"],
  ["entry points"]
]
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
  "layerAdmission.ts",
  "layerRateLimits.ts",
  "callsOnDemand.ts",
  "partsOnDemand.ts",
  "make.ts",
  "makePromiseRunner.ts",
  "render.ts",
  "decodeBundles.ts",
  "resolveBundles.ts",
  "resolveContentChecks.ts",
  "resolveAlerts.ts",
  "resolveExperiments.ts",
  "resolvePresets.ts",
  "resolveOptions.ts",
  "resolveResponseCache.ts",
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
  node: ["core", "prices"],
  express: ["core", "node"],
  fastify: ["core", "node"],
  web: ["core", "prices"],
  console: ["core"],
  sql: ["core"],
  anthropic: ["core"],
  openai: ["core"],
  "ai-sdk": ["core"],
  bedrock: ["core"],
  google: ["core"],
  openrouter: ["core"],
  prices: ["core"],
  redis: ["core"],
  cli: ["client", "console", "core", "node", "prices", "sql"],
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

interface Place {
  /** Where the file is, such as `engine/health`. */
  readonly room: string
  /** -1: in none. */
  readonly layer: number
}

/** `file` is relative to packages/core/src. */
const locate = (file: string): Place => {
  const [first = "", second, third] = file.split("/")
  if (second === undefined) {
    const room = entryPointFiles.has(first) ? "entry points" : first
    return { room, layer: findLayer(room) }
  }
  const room = third === undefined || !groups.has(first) ? first : `${first}/${second}`
  const listed = findLayer(room)
  return { room, layer: listed >= 0 ? listed : findLayer(`${first}/*`) }
}

/** Folders whose rooms are the folders in them. */
const groups: ReadonlySet<string> = new Set(["api", "domains", "engine", "tenants"])

const findLayer = (room: string): number => layers.findIndex((rooms) => rooms.includes(room))

const checkLayer = (from: string, to: string): string | undefined => {
  const importer = locate(from)
  const imported = locate(to)
  if (importer.layer < 0) return `${importer.room} has no layer: add it to scripts/layers.ts`
  if (imported.layer < 0) return `${imported.room} has no layer: add it to scripts/layers.ts`
  if (importer.room === imported.room || imported.layer < importer.layer) return undefined
  return imported.layer === importer.layer
    ? `${importer.room} and ${imported.room} are both in layer ${importer.layer} and may not import each other`
    : `${importer.room} (layer ${importer.layer}) imports only lower layers; ${imported.room} is in layer ${imported.layer}`
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
