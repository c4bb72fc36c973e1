/** Prints the cost of the published packages: installed size, import and `make`, loaded `effect` modules, and idle memory. */
import { execFileSync } from "node:child_process"
import { cpSync, globSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { installWithNpm, packPackages, toPublishedVersions } from "../scripts/packedProject.ts"
import { report } from "./goals.ts"

const root = join(import.meta.dirname, "..")
const rounds = Number(process.argv[2] ?? 9)
const ours = ["@signalbox/core", "@signalbox/express", "@signalbox/node", "@signalbox/openai"]

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
const start = (directory: string, program: string, ...args: ReadonlyArray<string>): Started =>
  JSON.parse(
    execFileSync(process.execPath, [program, ...args], { cwd: directory, encoding: "utf8" })
  )

const { modules = [] } = start(project, "make.mjs", "--modules")
const programs = {
  nothing: () => start(project, "import.mjs"),
  modules: () => start(project, "import.mjs", ...modules),
  express: () => start(bare, "import.mjs", "express"),
  make: () => start(project, "make.mjs"),
  beside: () => start(project, "make.mjs", "--express")
}
// Interleaved, and the minimum of each, because other processes only add time.
const least: Record<string, Started> = {}
for (let round = 0; round < rounds; round++) {
  for (const [name, run] of Object.entries(programs)) {
    const { cpuMillis, rssMegabytes } = run()
    const before = least[name]
    least[name] = {
      cpuMillis: Math.min(cpuMillis, before?.cpuMillis ?? Infinity),
      rssMegabytes: Math.min(rssMegabytes, before?.rssMegabytes ?? Infinity)
    }
  }
}
const { beside, express, make, modules: imported, nothing } = least
if (!beside || !express || !make || !imported || !nothing) throw new Error("no rounds")

const added = megabytes(project) - megabytes(bare)
const ratio = (make.cpuMillis - nothing.cpuMillis) / (imported.cpuMillis - nothing.cpuMillis)
console.log(`installed beyond express          ${added.toFixed(1)} MB`)
console.log(`effect modules imported at start  ${modules.length}`)
console.log(`  ${modules.map((name) => name.replace("effect/", "")).join(" ")}`)
console.log(
  `import + make                     ${(make.cpuMillis - nothing.cpuMillis).toFixed(0)} ms CPU, ${ratio.toFixed(2)} of those modules alone (${(imported.cpuMillis - nothing.cpuMillis).toFixed(0)} ms)`
)
console.log(
  `idle memory beyond bare Express   ${(beside.rssMegabytes - express.rssMegabytes).toFixed(0)} MB (${beside.rssMegabytes.toFixed(0)} - ${express.rssMegabytes.toFixed(0)})`
)
report(
  { goal: "start", value: ratio },
  { goal: "effectModules", value: modules.length },
  { goal: "idleMemory", value: beside.rssMegabytes - express.rssMegabytes }
)
for (const directory of [project, bare, tarballs.directory]) rmSync(directory, { recursive: true })
