/**
 * Publishes the packages of the last commit under the tag `canary`; with `--dry-run`, packs them and prints what would
 * be published. It works in a clone, so the tree stays unchanged.
 */
import { execFileSync } from "node:child_process"
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { constants, tmpdir } from "node:os"
import { join } from "node:path"
import { checkInternalRanges } from "../checkInternalRanges.ts"
import { pnpmCommand } from "../packedProject.ts"
import { checkProvenance } from "./checkProvenance.ts"
import { runStep } from "./runStep.ts"
import { writeCanaryVersion } from "./writeCanaryVersion.ts"
import { writeRepository } from "./writeRepository.ts"

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { encoding: "utf8" }).trim()
const root = git("rev-parse", "--show-toplevel")

const readNames = (clone: string): ReadonlyArray<string> =>
  globSync("packages/*/package.json", { cwd: clone }).map((path) => {
    const { name }: { readonly name: string } = JSON.parse(readFileSync(join(clone, path), "utf8"))
    return name
  })

const publishCanary = async (isDryRun: boolean, work: string, signal: AbortSignal) => {
  if (git("status", "--porcelain") !== "") console.warn("uncommitted changes are not in a canary")
  if (git("rev-parse", "--is-shallow-repository") === "true") {
    throw new Error("changelogs need the whole history: run `git fetch --unshallow`")
  }
  const clone = join(work, "clone")
  const step = (command: string, ...args: ReadonlyArray<string>): Promise<void> =>
    runStep(command, args, clone, signal)
  const [pnpm, ...pnpmArguments] = pnpmCommand()

  console.log(`cloning ${git("rev-parse", "HEAD")} into ${work}`)
  await runStep("git", ["clone", "--quiet", "--shared", root, clone], root, signal)
  // A dry run publishes nothing that the lockfile's policies protect, and their check needs the network.
  const network = isDryRun ? ["--offline", "--trust-lockfile"] : ["--prefer-offline"]
  await step(pnpm, ...pnpmArguments, "install", "--frozen-lockfile", "--silent", ...network)
  const changeset = join(clone, "node_modules/@changesets/cli/bin.js")
  const version = await writeCanaryVersion(clone, changeset, signal)
  await step(process.execPath, "scripts/writeVersion.ts")
  if (!isDryRun) writeRepository(clone, process.env)
  await step(join(clone, "node_modules/.bin/tsc"), "-b", "tsconfig.packages.json")
  const tarballs = join(work, "tarballs")
  await step(process.execPath, "scripts/release/packTarballs.ts", tarballs)
  const files = globSync("*.tgz", { cwd: tarballs }).toSorted()
  checkInternalRanges({ directory: tarballs, files }, (version) => version)
  if (!isDryRun) {
    await step(process.execPath, changeset, "publish", "--tag", "canary", "--no-git-tag")
    await checkProvenance(readNames(clone).map((name) => ({ name, version })))
    return
  }
  for (const file of files) {
    console.log(`${file}  ${Math.ceil(statSync(join(tarballs, file)).size / 1000)} kB`)
  }
  console.log(
    `${files.length} packages would be published as ${version}, under the tag canary. Nothing was published`
  )
}

const interrupted = new AbortController()
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(name, () => {
    process.exitCode = 128 + constants.signals[name]
    interrupted.abort(new Error(`${name}: nothing is left behind`))
  })
}
const work = mkdtempSync(join(tmpdir(), "canary-"))
try {
  await publishCanary(process.argv.includes("--dry-run"), work, interrupted.signal)
} catch (error) {
  process.exitCode ||= 1
  console.error(error instanceof Error ? error.message : error)
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
