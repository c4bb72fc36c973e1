/** Packs every package as for a release, and installs the tarballs in projects outside the repository. */
import { execFileSync } from "node:child_process"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { bundlePackages } from "./bundlePackages.ts"

const root = join(import.meta.dirname, "..")

/** The tarballs, and the folder that contains them. */
export interface Tarballs {
  readonly directory: string
  readonly files: ReadonlyArray<string>
}

interface Manifest {
  readonly version: string
}

export const run = (command: string, args: ReadonlyArray<string>, cwd: string): void => {
  execFileSync(command, args, { cwd, stdio: "inherit", timeout: 1_800_000 })
}

/** The pnpm that runs this script, else the pinned one. Only pnpm writes `publishConfig.exports` into a tarball. */
export const pnpmCommand = (): readonly [string, ...ReadonlyArray<string>] => {
  const manager = process.env["npm_execpath"] ?? ""
  return basename(manager).startsWith("pnpm") ? [manager] : ["npx", "-y", "pnpm@12.21.0"]
}

/** Needs the declarations that `tsc -b` writes. The caller removes the folder, by default a new one. */
export const packPackages = async (
  directory = mkdtempSync(join(tmpdir(), "packed-"))
): Promise<Tarballs> => {
  const packages = globSync("packages/*", { cwd: root }).map((it) => join(root, it))
  // tsc leaves the declarations of deleted sources in dist, where they would be published.
  for (const at of packages) {
    for (const file of globSync("dist/**/*.d.ts", { cwd: at })) {
      const source = file.replace(/^dist/, "src").replace(/\.d\.ts$/, ".ts")
      if (!existsSync(join(at, source))) rmSync(join(at, file))
    }
  }
  await bundlePackages()
  const [pnpm, ...args] = pnpmCommand()
  for (const at of packages)
    run(pnpm, [...args, "pack", "--silent", "--pack-destination", directory], at)
  return { directory, files: globSync("*.tgz", { cwd: directory }) }
}

/**
 * Dependencies as a user installs them: our tarballs, and for other packages the version that `from`, a project of
 * this repository, has installed.
 */
export const toPublishedVersions = (
  names: ReadonlyArray<string>,
  from: string,
  tarballs: Tarballs
): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => {
      const manifest: Manifest = JSON.parse(
        readFileSync(join(from, "node_modules", name, "package.json"), "utf8")
      )
      const tarball = `${name.replace(/^@/, "").replace("/", "-")}-${manifest.version}.tgz`
      const isOurs = tarballs.files.includes(tarball)
      return [name, isOurs ? `file:${join(tarballs.directory, tarball)}` : manifest.version]
    })
  )

/** Writes a project's manifest and installs it with npm. */
export const installWithNpm = (
  directory: string,
  dependencies: Readonly<Record<string, string>>,
  devDependencies: Readonly<Record<string, string>> = {}
): void => {
  writeFileSync(
    join(directory, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies, devDependencies })
  )
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error"]
  run("npm", ["install", "--prefer-offline", ...quiet], directory)
}
