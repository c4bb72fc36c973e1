/**
 * Writes `repository` into the manifests of the packages, from what GitHub Actions says of the build. npm compares both
 * before it accepts a provenance, so a fork needs its own address.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

export const writeRepository = (
  root: string,
  environment: Readonly<Record<string, string | undefined>>
): void => {
  const { GITHUB_REPOSITORY: repository, GITHUB_SERVER_URL: server } = environment
  if (repository === undefined || server === undefined) {
    throw new Error(
      "GITHUB_REPOSITORY or GITHUB_SERVER_URL is missing. Publish with .github/workflows/release.yml: npm accepts a provenance from there alone"
    )
  }
  const url = `git+${server}/${repository}.git`
  for (const path of globSync("packages/*/package.json", { cwd: root })) {
    const file = join(root, path)
    const manifest: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(file, "utf8"))
    const directory = dirname(path).replaceAll("\\", "/")
    const written = { ...manifest, repository: { type: "git", url, directory } }
    writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`)
  }
}

if (import.meta.main) writeRepository(join(import.meta.dirname, "../.."), process.env)
