/**
 * Writes docs/reference/operations.md from the OpenAPI document, docs/reference/exports.md from the package entry points,
 * docs/reference/failures.md from the tables of the dialects, docs/reference/provider-quirks.md from the table of quirks, docs/reference/request-fields.md from the table of fields, and the operations that the server starts with from the contract.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Struct from "effect/Struct"
import { Api } from "../packages/core/src/api/Api.ts"
import { listOperations } from "../packages/core/src/api/contract/Operation.ts"
import { makeOpenApiDocument } from "../packages/core/src/api/reference/makeOpenApiDocument.ts"
import { renderCoverage, writeReferenceOperations } from "./referenceCoverage.ts"
import { renderFailures } from "./renderFailures.ts"
import { renderFields } from "./renderFields.ts"
import { renderQuirks } from "./renderQuirks.ts"
import { listExports, listLocalExports } from "./listExports.ts"

const root = join(import.meta.dirname, "..")

interface Operation {
  readonly description?: string
  readonly summary?: string
  readonly tags: ReadonlyArray<string>
  readonly responses: Readonly<Record<string, unknown>>
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string }>
}

const toCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim()

const toRow = (method: string, path: string, operation: Operation): string => {
  const parameters = operation.parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name }) => `\`${name}\``)
  const cells = [
    `\`${method.toUpperCase()} ${path}\``,
    toCell(operation.description ?? operation.summary ?? ""),
    parameters.join(", "),
    Object.keys(operation.responses).join(", ")
  ]
  return `| ${cells.join(" | ")} |`
}

export const renderOperations = (): string => {
  const byTag = new Map<string, Array<string>>()
  for (const [path, methods] of Object.entries(makeOpenApiDocument("").paths)) {
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      const [tag = ""] = operation.tags
      const rows = byTag.get(tag) ?? []
      byTag.set(tag, rows)
      rows.push(toRow(method, path, operation))
    }
  }
  const sections = Array.from(byTag, ([tag, rows]) =>
    [
      `## ${tag}`,
      "",
      "| operation | what it does | query parameters | statuses |",
      "| --- | --- | --- | --- |",
      ...rows,
      ""
    ].join("\n")
  )
  return `# HTTP operations

After this page you know every operation with its query parameters and statuses. Paths start at the
[mount](../get-started/mounting.md). For the schemas of bodies and responses, read the OpenAPI
document of a running instance at \`/api/v1/openapi.json\`, or its page at \`/api/v1/docs\`.

\`npm run docs\` writes this page from the contract.

${sections.join("\n")}
${renderCoverage(listOperations(...Object.values(Api.groups)).map(({ method, path }) => `${method} ${path}`))}`
}

/** Wraps the names at 100 characters. */
const wrapNames = (names: ReadonlyArray<string>): string => {
  const lines: Array<string> = [""]
  for (const name of names) {
    const text = `\`${name}\`${name === names.at(-1) ? "" : ","}`
    const line = lines.at(-1) ?? ""
    if (line.length + text.length + 1 > 100) lines.push(text)
    else lines[lines.length - 1] = line === "" ? text : `${line} ${text}`
  }
  return lines.join("\n")
}

const renderEntry = (directory: string, entry: string, target: string): string => {
  const { name } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
    readonly name: string
  }
  const names = [
    ...listExports(directory, target).map((exported) => exported.name),
    ...listLocalExports(directory, target)
  ].toSorted((one, other) => one.localeCompare(other, "en"))
  return `## ${join(name, entry)}\n\n${wrapNames([...new Set(names)])}\n`
}

export const renderExports = (): string => {
  const entries = globSync("packages/*/package.json", { cwd: root })
    .toSorted()
    .flatMap((manifest) => {
      const directory = join(root, dirname(manifest))
      const { exports } = JSON.parse(readFileSync(join(root, manifest), "utf8")) as {
        readonly exports: Readonly<Record<string, unknown>>
      }
      return Object.entries(exports).flatMap(([entry, target]) =>
        typeof target === "string" && target.endsWith(".ts")
          ? [renderEntry(directory, entry, target)]
          : []
      )
    })
  return `# Exports

After this page you know what each package exports, and under which name to import it. Your editor
shows the docstring of each export.

\`npm run docs\` writes this page from the entry points of the packages.

${entries.join("\n")}`
}

export const contractOperationsPath = "packages/core/src/api/contractOperations.ts"

/** Formatted as `oxfmt` would. */
export const renderContractOperations =
  (): string => `/** The operations of the contract, as the server knows them before it loads the contract. \`npm run docs\` writes it from the contract. */
import type { Operation } from "./contract/Operation.ts"

export const contractOperations: ReadonlyArray<Operation> = [
${listOperations(...Object.values(Api.groups))
  .map((operation) => `  ${toLiteral(Struct.omit(operation, ["annotations", "endpoint"]), "  ")}`)
  .join(",\n")}
]
`

const toLiteral = (value: unknown, indent: string): string => {
  if (Array.isArray(value)) return `[${value.join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([name, field]) => `${indent}  ${name}: ${toLiteral(field, `${indent}  `)}`
  )
  return `{\n${fields.join(",\n")}\n${indent}}`
}

if (import.meta.main) {
  writeReferenceOperations()
  writeFileSync(join(root, contractOperationsPath), renderContractOperations())
  writeFileSync(join(root, "docs/reference/operations.md"), renderOperations())
  writeFileSync(join(root, "docs/reference/exports.md"), renderExports())
  writeFileSync(join(root, "docs/reference/failures.md"), renderFailures())
  writeFileSync(join(root, "docs/reference/provider-quirks.md"), renderQuirks())
  writeFileSync(join(root, "docs/reference/request-fields.md"), renderFields())
}
