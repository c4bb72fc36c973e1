/** Lists the specifiers that a TypeScript file imports or re-exports, including type-only and `import("...")` ones. */
import { readFileSync } from "node:fs"
import { parseSync, Visitor } from "oxc-parser"

/** In order of appearance; throws when the file does not parse. */
export const listImports = (file: string): ReadonlyArray<string> => listSpecifiers(file, false)

/** The same without type-only imports, which are erased. */
export const listRuntimeImports = (file: string): ReadonlyArray<string> =>
  listSpecifiers(file, true)

const listSpecifiers = (file: string, isRuntimeOnly: boolean): ReadonlyArray<string> => {
  const { program, errors } = parseSync(file, readFileSync(file, "utf8"))
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  const specifiers: Array<string> = []
  const add = (node: { readonly type: string; readonly value?: unknown } | null): void => {
    if (node?.type === "Literal" && typeof node.value === "string") specifiers.push(node.value)
  }
  new Visitor({
    ImportDeclaration: (node) => {
      if (!isRuntimeOnly || !isTypeOnly(node.importKind, node.specifiers)) add(node.source)
    },
    ExportNamedDeclaration: (node) => {
      if (!isRuntimeOnly || node.exportKind !== "type") add(node.source)
    },
    ExportAllDeclaration: (node) => {
      if (!isRuntimeOnly || node.exportKind !== "type") add(node.source)
    },
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => {
      if (!isRuntimeOnly) add(node.source)
    }
  }).visit(program)
  return specifiers
}

const isTypeOnly = (kind: string | undefined, specifiers: ReadonlyArray<object>): boolean =>
  kind === "type" ||
  (specifiers.length > 0 &&
    specifiers.every((one) => "importKind" in one && one.importKind === "type"))
