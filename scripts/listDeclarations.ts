/** Lists the declaration files behind the published exports of a package, in the order of their imports. */
import { readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { listImports } from "./listImports.ts"

export const listDeclarations = (directory: string): ReadonlySet<string> => {
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
