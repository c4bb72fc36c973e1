/**
 * Prints the cost of the published packages: installed size, import and `make`, loaded `effect` modules, and idle memory.
 * Import and `make` also with Node's compile cache, and bundled by the application.
 *
 * Usage: node bench/start.ts [rounds]
 */
import { execFileSync } from "node:child_process"
import { cpSync, globSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import { installWithNpm, packPackages, toPublishedVersions } from "../scripts/packedProject.ts"
import { report } from "./goals.ts"

const root = join(import.meta.dirname, "..")
const rounds = Number(process.argv[2] ?? 9)
const ours = ["core", "express", "node", "openai", "prices"].map((name) => `@signalbox/${name}`)

const project = mkdtempSync(join(tmpdir(), "start-"))
const bare = mkdtempSync(join(tmpdir(), "start-bare-"))
const tarballs = await packPackages()
const consumer = join(root, "scripts/consumer")
installWithNpm(project, toPublishedVersions(["effect", "express", ...ours], consumer, tarballs))
installWithNpm(bare, toPublishedVersions(["express"], consumer, tarballs))
for (const program of globSync("start/*.mjs", { cwd: import.meta.dirname })) {
  for (const directory of [project, bare]) {
    cpSync(join(import.meta.dirname, program), join(directory, program.slice("start/".length)))
  }
}

// As the documentation tells applications to.
await build({
  absWorkingDir: project,
  entryPoints: ["make.mjs"],
  outdir: "bundled",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22",
  // Express and undici are CommonJS, and call `require`.
  banner: {
    js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url)`
  }
})

const megabytes = (directory: string): number =>
  globSync("node_modules/**/*", { cwd: directory }).reduce((sum, file) => {
    const stats = statSync(join(directory, file))
    return stats.isFile() ? sum + Math.ceil(stats.size / 4096) * 4096 : sum
  }, 0) / 1e6

interface Started {
  /** Milliseconds of CPU from the start of the process to the end of the work. */
  readonly cpuMillis: number
  readonly rssMegabytes: number
  readonly modules?: ReadonlyArray<string>
}
const cache = join(project, "cache")
const start = (
  directory: string,
  [program = "", ...args]: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = { NODE_DISABLE_COMPILE_CACHE: "1" }
): Started =>
  JSON.parse(
    execFileSync(process.execPath, [program, ...args], {
      cwd: directory,
      encoding: "utf8",
      env: { ...process.env, ...env }
    })
  )

const { modules = [] } = start(project, ["make.mjs", "--modules"])
const programs = {
  nothing: () => start(project, ["import.mjs"]),
  modules: () => start(project, ["import.mjs", ...modules]),
  make: () => start(project, ["make.mjs"]),
  cached: () => start(project, ["make.mjs"], { NODE_COMPILE_CACHE: cache }),
  bundled: () => start(project, ["bundled/make.js"]),
  bundledCached: () => start(project, ["bundled/make.js"], { NODE_COMPILE_CACHE: cache }),
  express: () => start(bare, ["import.mjs", "express"]),
  beside: () => start(project, ["make.mjs", "--express"])
}
type ProgramName = keyof typeof programs
// The first start with a cache writes it.
for (const run of [programs.cached, programs.bundledCached]) run()

// Interleaved, and the minimum of each, because other processes only add time.
const least = new Map<ProgramName, Started>()
for (let round = 0; round < rounds; round++) {
  for (const name of Object.keys(programs) as ReadonlyArray<ProgramName>) {
    const { cpuMillis, rssMegabytes } = programs[name]()
    const before = least.get(name)
    least.set(name, {
      cpuMillis: Math.min(cpuMillis, before?.cpuMillis ?? Infinity),
      rssMegabytes: Math.min(rssMegabytes, before?.rssMegabytes ?? Infinity)
    })
  }
}
const toCpu = (name: ProgramName): number =>
  (least.get(name)?.cpuMillis ?? Number.NaN) - (least.get("nothing")?.cpuMillis ?? Number.NaN)
const toRatio = (name: ProgramName): number => toCpu(name) / toCpu("modules")
const toMemory = (name: ProgramName): number => least.get(name)?.rssMegabytes ?? Number.NaN

const added = megabytes(project) - megabytes(bare)
const idle = toMemory("beside") - toMemory("express")
console.log(`installed beyond express          ${added.toFixed(1)} MB`)
console.log(`effect modules imported at start  ${modules.length}`)
console.log(`  ${modules.map((name) => name.replace("effect/", "")).join(" ")}`)
for (const [name, text] of [
  ["modules", "those modules alone"],
  ["make", "import + make"],
  ["cached", "  with the compile cache"],
  ["bundled", "  bundled by the application"],
  ["bundledCached", "  both"]
] as const) {
  console.log(
    `${text.padEnd(34)}${toCpu(name).toFixed(0)} ms CPU, relative ${toRatio(name).toFixed(2)}`
  )
}
console.log(
  `idle memory beyond bare Express   ${idle.toFixed(0)} MB (${toMemory("beside").toFixed(0)} - ${toMemory("express").toFixed(0)})`
)
report(
  { goal: "start", value: toRatio("make") },
  { goal: "bundledStart", value: toRatio("bundled") },
  { goal: "effectModules", value: modules.length },
  { goal: "idleMemory", value: idle }
)
for (const directory of [project, bare, tarballs.directory]) rmSync(directory, { recursive: true })
