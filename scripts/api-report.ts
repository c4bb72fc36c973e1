/** Writes packages/*\/api.md, the declarations that a host can reach, so that a review shows every change of them. Verifies with --check. */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { listDeclarations } from "./listDeclarations.ts"

const root = join(import.meta.dirname, "..")
const check = process.argv.includes("--check")

/**
 * Replaces the type of a group by one line for each operation, because the order in which the compiler prints its
 * unions is not stable. The named schemas and the OpenAPI document have the details.
 */
const summarizeGroup = (declaration: string, name: string): string =>
  [
    `declare const ${name}: HttpApiGroup`,
    ...Array.from(
      declaration.matchAll(/HttpApiEndpoint<"(\w+)", "([A-Z]+)", "([^"]+)"/g),
      ([, operation, method, path]) => `  ${operation}: ${method} ${path}`
    ).toSorted(),
    ""
  ].join("\n")

const renderSection = (directory: string, file: string): string => {
  const text = readFileSync(file, "utf8")
    .replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n?/gm, "")
    .replace(/\/\/# sourceMappingURL=.*\n?/, "")
    .replace(/^ *\n/gm, "")
    .replace(
      /^declare const (\w+_base): [^\n]*?HttpApiGroup"?\)?\.HttpApiGroup<[\s\S]*?(?=^export )/gm,
      summarizeGroup
    )
  const name = relative(join(directory, "dist"), file).slice(0, -".d.ts".length)
  return `## ${name}\n\n\`\`\`ts\n${text.trim()}\n\`\`\`\n`
}

for (const manifest of globSync("packages/*/package.json", { cwd: root })) {
  const directory = join(root, dirname(manifest))
  const report = [...listDeclarations(directory)]
    .toSorted()
    .map((file) => renderSection(directory, file))
    .join("\n")
  const path = join(directory, "api.md")
  if (!check) {
    writeFileSync(path, report)
  } else if (!existsSync(path) || readFileSync(path, "utf8") !== report) {
    console.error(`${dirname(manifest)}/api.md is out of date`)
    process.exitCode = 1
  }
}
