/**
 * Lints the tarballs of all packages and follows the README in empty projects. Then installs the
 * tarballs in a project outside the repository, and runs it on the oldest and the newest Node in range, and
 * what needs no Node on Bun and Deno, too.
 */
import { execFileSync } from "node:child_process"
import { cpSync, globSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { checkConsumers } from "./checkConsumers.ts"
import { checkInternalRanges } from "./checkInternalRanges.ts"
import { checkQuickStart } from "./checkQuickStart.ts"
import { measureInstalledSize } from "./measureInstalledSize.ts"
import { installWithNpm, packPackages, toPublishedVersions, run } from "./packedProject.ts"

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, "..")
const consumer = join(root, "scripts/consumer")
const tarballs = await packPackages()
const work = tarballs.directory
const bin = (name: string, ...args: ReadonlyArray<string>): void =>
  run(join(root, "node_modules/.bin", name), args, work)

const listPackedFiles = (tarball: string): ReadonlyArray<string> =>
  execFileSync("tar", ["-tzf", join(work, tarball)], { encoding: "utf8" }).split("\n")

for (const tarball of tarballs.files) {
  if (!listPackedFiles(tarball).includes("package/README.md")) {
    throw new Error(`${tarball} has no README.md`)
  }
  bin("publint", "--strict", tarball)
  bin("attw", "--profile", "esm-only", "--format", "ascii", "--quiet", tarball)
}

checkInternalRanges(tarballs, (version) => `^${version}`)

// First, because its projects must not find packages in a folder above them.
checkQuickStart(tarballs, consumer)

const manifest: Manifest = JSON.parse(readFileSync(join(consumer, "package.json"), "utf8"))
const publishedDependencies = (dependencies: Readonly<Record<string, string>>) =>
  toPublishedVersions(Object.keys(dependencies), consumer, tarballs)
installWithNpm(
  work,
  publishedDependencies(manifest.dependencies),
  publishedDependencies(manifest.devDependencies)
)

// Ours is what a change can make smaller; effect takes six times as much.
const largestMegabytes = 12
const ours = ["core", "express", "node", "openai", "prices"].map((name) => `@signalbox/${name}`)
const installed = measureInstalledSize(work, ours)
const whole = measureInstalledSize(work, ["effect", "undici", ...ours])
console.log(
  `the README's packages take ${installed.toFixed(1)} MB of ${largestMegabytes} MB, with effect and undici ${whole.toFixed(1)} MB`
)
if (installed > largestMegabytes) throw new Error("the README's packages are too large")

const programs = globSync("**/*.{ts,js,mjs,cjs}", {
  cwd: consumer,
  exclude: ["**/{node_modules,out,.next}/**"]
})
for (const program of programs) cpSync(join(consumer, program), join(work, program))
const oldest = globSync("node_modules/node-oldest-*", { cwd: consumer })
if (oldest.length === 0) console.warn("no oldest Node for this platform: run on the newest only")
const nodes = [...oldest.map((it) => join(consumer, it, "bin/node")), process.execPath]

const typed = programs.filter((program) => program.endsWith(".ts"))
const strict = ["--ignoreConfig", "--strict", "--exactOptionalPropertyTypes", "--types", "node"]
const emitted = ["--target", "es2024", "--rewriteRelativeImportExtensions", "--rootDir", "."]
for (const modules of [
  ["--module", "esnext", "--moduleResolution", "bundler"],
  ["--module", "nodenext", "--moduleResolution", "nodenext"]
]) {
  bin("tsc", ...typed, ...strict, ...emitted, "--outDir", "out", ...modules)
}
for (const node of nodes) run(node, ["out/hosts/main.js"], work)
const consumerBin = (name: string): string => join(consumer, "node_modules/.bin", name)
run(process.execPath, ["out/hosts/runtime.js"], work)
run(consumerBin("bun"), ["out/hosts/runtime.js"], work)
run(consumerBin("deno"), ["run", "--allow-all", "out/hosts/runtime.js"], work)
await checkConsumers(work, nodes)
rmSync(work, { recursive: true })
