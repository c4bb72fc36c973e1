/** Marks the calls that run when a module is loaded, so that bundlers of applications drop those whose results are unused. */
import { parseAst } from "rolldown/parseAst"

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number }

/** What runs later: its calls may be for their effects. */
const laterTypes = new Set(["ArrowFunctionExpression", "FunctionDeclaration", "FunctionExpression"])

/** The comment that bundlers know: https://esbuild.github.io/api/#pure. */
const annotation = "/* @__PURE__ */ "

/**
 * The packages declare no side effects, so what a declaration calls is for its value. Statements keep their calls.
 * Lines stay where they are.
 */
export const annotatePureCalls = (code: string): string => {
  const starts = new Set<number>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each)
      return
    }
    if (!isNode(value) || laterTypes.has(value.type)) return
    if (value.type === "PropertyDefinition" && value["static"] !== true) return
    if (value.type === "CallExpression" || value.type === "NewExpression") starts.add(value.start)
    for (const child of Object.values(value)) visit(child)
  }
  for (const statement of parseAst(code, { lang: "ts" }).body) {
    const declaration =
      statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
    if (declaration?.type === "VariableDeclaration" || declaration?.type === "ClassDeclaration") {
      visit(declaration)
    }
  }
  let annotated = ""
  let end = 0
  for (const start of Array.from(starts).toSorted((one, other) => one - other)) {
    annotated += code.slice(end, start) + annotation
    end = start
  }
  return annotated + code.slice(end)
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value
