/**
 * Lints the tarballs of all packages and follows the README in empty projects. Then installs the
 * tarballs in a project outside the repository, and runs it on the oldest and the newest Node in range, and
 * what needs no Node on Bun and Deno, too.
 */
import { execFileSync } from "node:child_process"
import { cpSync, globSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
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

const largestMegabytes = 78
const installed = measureInstalledSize(work, [
  "effect",
  "undici",
  "@signalbox/core",
  "@signalbox/express",
  "@signalbox/node",
  "@signalbox/openai"
])
console.log(`the README's packages take ${installed.toFixed(1)} MB of ${largestMegabytes} MB`)
if (installed > largestMegabytes) throw new Error("the README's packages are too large")

const programs = globSync("*.ts", { cwd: consumer })
for (const program of programs) cpSync(join(consumer, program), join(work, program))

const strict = ["--ignoreConfig", "--strict", "--exactOptionalPropertyTypes", "--types", "node"]
const emitted = ["--target", "es2024", "--rewriteRelativeImportExtensions", "--outDir", "out"]
for (const modules of [
  ["--module", "esnext", "--moduleResolution", "bundler"],
  ["--module", "nodenext", "--moduleResolution", "nodenext"]
]) {
  bin("tsc", "main.ts", "runtime.ts", ...strict, ...emitted, ...modules)
}
const oldest = globSync("node_modules/node-oldest-*", { cwd: consumer })
if (oldest.length === 0) console.warn("no oldest Node for this platform: run on the newest only")
for (const node of [...oldest.map((it) => join(consumer, it, "bin/node")), process.execPath]) {
  run(node, ["out/main.js"], work)
  run(node, ["node_modules/@signalbox/cli/dist/main.js", "--version"], work)
}
const consumerBin = (name: string): string => join(consumer, "node_modules/.bin", name)
run(process.execPath, ["out/runtime.js"], work)
run(consumerBin("bun"), ["out/runtime.js"], work)
run(consumerBin("deno"), ["run", "--allow-all", "out/runtime.js"], work)
rmSync(work, { recursive: true })
