/** Gives all packages of a clone one version, `0.0.0-canary-<commit>`, and dependencies on exactly that one. */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runStep } from "./runStep.ts"

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Returns the version. `changeset` is the path of the program of Changesets. */
export const writeCanaryVersion = async (
  clone: string,
  changeset: string,
  signal?: AbortSignal
): Promise<string> => {
  if (globSync(".changeset/*.md", { cwd: clone }).length === 0) {
    throw new Error(
      "there is no changeset, so nothing changed for users: add one with `npx changeset`"
    )
  }
  await runStep(process.execPath, [changeset, "version", "--snapshot", "canary"], clone, signal)
  const versions = new Set<string>()
  for (const path of globSync("packages/*/package.json", { cwd: clone })) {
    const file = join(clone, path)
    const manifest: Manifest = JSON.parse(readFileSync(file, "utf8"))
    versions.add(manifest.version)
    // The range `^0.0.0-canary-a` of the tarball would take a canary of any later commit, in the order of the alphabet.
    const dependencies = Object.entries(manifest.dependencies ?? {}).map(([name, range]) => [
      name,
      range === "workspace:^" ? "workspace:*" : range
    ])
    const exact = { ...manifest, dependencies: Object.fromEntries(dependencies) }
    writeFileSync(file, `${JSON.stringify(exact, null, 2)}\n`)
  }
  const [version = "", ...others] = versions
  if (others.length > 0)
    throw new Error(`the packages have several versions: ${[...versions].join(", ")}`)
  return version
}
