/** Checks which versions of each other the packed packages ask for. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import type { Tarballs } from "./packedProject.ts"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const readManifest = (path: string): Manifest =>
  JSON.parse(execFileSync("tar", ["-xOzf", path, "package/package.json"], { encoding: "utf8" }))

/** `toRange` says what a package asks for, for the version that all have. */
export const checkInternalRanges = (
  { directory, files }: Tarballs,
  toRange: (version: string) => string
): void => {
  const manifests = files.map((file) => readManifest(join(directory, file)))
  const versions = new Map(manifests.map(({ name, version }) => [name, version]))
  for (const { dependencies = {}, name } of manifests) {
    for (const [dependency, range] of Object.entries(dependencies)) {
      const version = versions.get(dependency)
      if (version !== undefined && range !== toRange(version)) {
        throw new Error(`${name} asks for ${dependency} ${range}, not ${toRange(version)}`)
      }
    }
  }
}
