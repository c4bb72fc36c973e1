/** Writes (or, with --check, verifies) packages/*\/api.md: the emitted declarations a host can reach, so that reviews see every change of the public surface. */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { listImports } from "./listImports.ts"

const root = join(import.meta.dirname, "..")
const check = process.argv.includes("--check")

/** The declaration files behind the published exports, in the order they are reached. */
const reachable = (directory: string): ReadonlySet<string> => {
  const manifest: {
    readonly publishConfig: {
      readonly exports: Readonly<Record<string, string | { readonly types: string }>>
    }
  } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"))
  const found = new Set<string>()
  const visit = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    for (const specifier of listImports(file)) {
      if (specifier.startsWith(".")) {
        visit(resolve(dirname(file), specifier.replace(/\.[jt]s$/, ".d.ts")))
      }
    }
  }
  for (const target of Object.values(manifest.publishConfig.exports)) {
    if (typeof target === "object") visit(join(directory, target.types))
  }
  return found
}

/**
 * A group of operations as a line each, by name: the compiler writes the unions behind them in an
 * order of its own, and what is in them is told by the schemas they name and by the OpenAPI document.
 */
const operations = (declaration: string, name: string): string =>
  [
    `declare const ${name}: HttpApiGroup`,
    ...Array.from(
      declaration.matchAll(/HttpApiEndpoint<"(\w+)", "([A-Z]+)", "([^"]+)"/g),
      ([, operation, method, path]) => `  ${operation}: ${method} ${path}`
    ).toSorted(),
    ""
  ].join("\n")

const section = (directory: string, file: string): string => {
  const text = readFileSync(file, "utf8")
    .replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n?/gm, "")
    .replace(/\/\/# sourceMappingURL=.*\n?/, "")
    .replace(/^ *\n/gm, "")
    .replace(
      /^declare const (\w+_base): HttpApiGroup\.HttpApiGroup<[\s\S]*?(?=^export )/gm,
      operations
    )
  const name = relative(join(directory, "dist"), file).slice(0, -".d.ts".length)
  return `## ${name}\n\n\`\`\`ts\n${text.trim()}\n\`\`\`\n`
}

for (const manifest of globSync("packages/*/package.json", { cwd: root })) {
  const directory = join(root, dirname(manifest))
  const report = [...reachable(directory)]
    .toSorted()
    .map((file) => section(directory, file))
    .join("\n")
  const path = join(directory, "api.md")
  if (!check) {
    writeFileSync(path, report)
  } else if (!existsSync(path) || readFileSync(path, "utf8") !== report) {
    console.error(`${dirname(manifest)}/api.md is out of date`)
    process.exitCode = 1
  }
}
