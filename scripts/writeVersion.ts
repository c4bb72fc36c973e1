/** Writes the version of the packages into the sources, from which running processes tell it. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const core = join(import.meta.dirname, "../packages/core")
const { version }: { readonly version: string } = JSON.parse(
  readFileSync(join(core, "package.json"), "utf8")
)
const file = join(core, "src/instance/libraryVersion.ts")
writeFileSync(file, readFileSync(file, "utf8").replace(/"[^"]*"$/m, JSON.stringify(version)))
