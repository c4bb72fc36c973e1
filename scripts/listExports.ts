/** Lists the exports of an entry point, each with its declaration. */
import { readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { parseSync } from "oxc-parser"

export interface ExportedName {
  /** The exported name. */
  readonly name: string
  /** The name in its file; undefined for a namespace. */
  readonly local: string | undefined
  /** The file that declares it, relative to the sources of the package. */
  readonly file: string
}

/** The re-exports of an entry point. */
export const listExports = (sources: string, entry: string): ReadonlyArray<ExportedName> => {
  const path = join(sources, entry)
  const { module } = parseSync(path, readFileSync(path, "utf8"))
  return module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName, importName, moduleRequest }): ReadonlyArray<ExportedName> => {
      if (moduleRequest === null) return []
      const file = relative(sources, join(dirname(path), moduleRequest.value))
      if (exportName.name !== null) {
        return [{ name: exportName.name, local: importName.name ?? undefined, file }]
      }
      // `export * from "./file.ts"`
      return listExports(sources, file)
    })
  )
}

/** The names of the services that the layers of a declaration require. */
export const listRequired = (text: string): ReadonlyArray<string> => [
  ...new Set(
    Array.from(
      text.matchAll(/Layer\.Layer<\s*[^<>]*?,\s*never,\s*([^<>]*?)\s*>/g),
      ([, required = ""]) =>
        required.split("|").map((name) => name.trim().replace(/^import\("\.[^"]*"\)\./, ""))
    )
      .flat()
      .filter((name) => /^[A-Z]\w*$/.test(name))
  )
]

/** Declared names without a docstring. A docstring on either a value or its type is enough. */
export const listUndocumented = (text: string): ReadonlyArray<string> => {
  const declared = Array.from(
    text.matchAll(
      /(\*\/\s*\n)?^export (?:abstract )?(?:class|const|interface|type|function) (\w+)/gm
    ),
    ([, docstring, name = ""]) => ({ name, isDocumented: docstring !== undefined })
  )
  const documented = new Set(
    declared.filter(({ isDocumented }) => isDocumented).map(({ name }) => name)
  )
  return declared.map(({ name }) => name).filter((name) => !documented.has(name))
}

/** The exports that the entry point itself declares. */
export const listLocalExports = (sources: string, entry: string): ReadonlyArray<string> => {
  const path = join(sources, entry)
  const { module } = parseSync(path, readFileSync(path, "utf8"))
  return module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName, moduleRequest }) =>
      moduleRequest === null && exportName.name !== null ? [exportName.name] : []
    )
  )
}
