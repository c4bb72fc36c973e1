/** Packs every package as it will be published, lints the tarballs, installs them in a project outside the repository, and type-checks and runs that project on the oldest and the newest Node in range. */
import { execFileSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { bundlePackages } from "./bundlePackages.ts"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, "..")
const consumer = join(root, "scripts/consumer")
const work = mkdtempSync(join(tmpdir(), "pack-check-"))
const packages = globSync("packages/*", { cwd: root }).map((directory) => join(root, directory))

const run = (command: string, args: ReadonlyArray<string>, cwd: string): void => {
  execFileSync(command, args, { cwd, stdio: "inherit", timeout: 180_000 })
}
const bin = (name: string, ...args: ReadonlyArray<string>): void =>
  run(join(root, "node_modules/.bin", name), args, work)
const manifestOf = (directory: string): Manifest =>
  JSON.parse(readFileSync(join(directory, "package.json"), "utf8"))

// What was deleted from src lives on in dist, and would be published.
for (const directory of packages) {
  for (const file of globSync("dist/**/*.d.ts", { cwd: directory })) {
    const source = file.replace(/^dist/, "src").replace(/\.d\.ts$/, ".ts")
    if (!existsSync(join(directory, source))) rmSync(join(directory, file))
  }
}
await bundlePackages()

// Whichever pnpm runs this script: only pnpm writes `publishConfig.exports` into the tarball.
const manager = process.env["npm_execpath"] ?? ""
const [pnpm, ...pnpmArguments] = basename(manager).startsWith("pnpm")
  ? ([manager] as const)
  : (["npx", "-y", "pnpm@12.21.0"] as const)
for (const directory of packages) {
  run(pnpm, [...pnpmArguments, "pack", "--silent", "--pack-destination", work], directory)
}
const tarballs = globSync("*.tgz", { cwd: work })
for (const tarball of tarballs) {
  bin("publint", "--strict", tarball)
  bin("attw", "--profile", "esm-only", "--format", "ascii", "--quiet", tarball)
}

/** The consumer's dependencies as a stranger would have them: our tarballs, and the versions tried here. */
const published = (dependencies: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.keys(dependencies).map((name) => {
      const { version } = manifestOf(join(consumer, "node_modules", name))
      const tarball = `${name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`
      return [name, tarballs.includes(tarball) ? `file:${tarball}` : version]
    })
  )
const { dependencies, devDependencies } = manifestOf(consumer)
writeFileSync(
  join(work, "package.json"),
  JSON.stringify({
    private: true,
    type: "module",
    dependencies: published(dependencies),
    devDependencies: published(devDependencies)
  })
)
const programs = globSync("*.ts", { cwd: consumer })
for (const program of programs) cpSync(join(consumer, program), join(work, program))
const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error"]
run("npm", ["install", "--prefer-offline", ...quiet], work)

const strict = ["--ignoreConfig", "--strict", "--exactOptionalPropertyTypes", "--types", "node"]
const emitted = ["--target", "es2024", "--rewriteRelativeImportExtensions", "--outDir", "out"]
for (const modules of [
  ["--module", "esnext", "--moduleResolution", "bundler"],
  ["--module", "nodenext", "--moduleResolution", "nodenext"]
]) {
  bin("tsc", "main.ts", ...strict, ...emitted, ...modules)
}
const oldest = globSync("node_modules/node-oldest-*", { cwd: consumer })
if (oldest.length === 0) console.warn("no oldest Node for this platform: run on the newest only")
for (const node of [...oldest.map((it) => join(consumer, it, "bin/node")), process.execPath]) {
  run(node, ["out/main.js"], work)
}
rmSync(work, { recursive: true })
