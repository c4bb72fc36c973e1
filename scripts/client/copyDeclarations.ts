/** Copies type declarations of the core to the client, file by file, with the types of schemas written out. */
import { readFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import * as Schema from "effect/Schema"
import { parseSync, Visitor } from "oxc-parser"
import type { JsonSchema, TypeWriter } from "./TypeWriter.ts"

const core = join(import.meta.dirname, "../../packages/core/src")

/** A declaration of a type in a source file. */
interface Declaration {
  /** With its docstring. */
  readonly start: number
  readonly end: number
  readonly isExported: boolean
  /** The names of types it refers to, of this file and others. */
  readonly references: ReadonlySet<string>
  /** `typeof X.Type`, or the heritage that leaves fields of it out. */
  readonly schemas: ReadonlyArray<SchemaType>
}

interface SchemaType {
  readonly start: number
  readonly end: number
  readonly schema: string
  /** For `extends Omit<typeof X.Type, "a" | "b">`: the fields left out, and where the others go. */
  readonly inherited?: { readonly omitted: ReadonlySet<string>; readonly bodyStart: number }
}

interface Source {
  readonly text: string
  readonly declarations: ReadonlyMap<string, Declaration>
  /** The file and the name behind each imported name. */
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>
}

/** The texts of the generated files by name, and the names that each exports. */
export const copyDeclarations = async (
  roots: Readonly<Record<string, ReadonlyArray<string>>>,
  folder: string,
  writer: TypeWriter
): Promise<ReadonlyMap<string, CopiedFile>> => {
  const sources = new Map<string, Source>()
  const chosen = new Map<string, Set<string>>()
  const read = (file: string): Source => {
    const source = sources.get(file) ?? readSource(file)
    sources.set(file, source)
    return source
  }
  /** Depth first, so that a type is known before the types made of it. */
  const choose = async (file: string, name: string): Promise<void> => {
    const names = chosen.get(file) ?? new Set()
    if (names.has(name)) return
    const { declarations, imports } = read(file)
    const declaration = declarations.get(name)
    if (declaration === undefined) {
      const imported = imports.get(name)
      if (imported !== undefined) await choose(imported.file, imported.name)
      return
    }
    chosen.set(file, names.add(name))
    for (const reference of declaration.references) await choose(file, reference)
    for (const { schema } of declaration.schemas) {
      if (schema !== name) continue
      writer.add(await readSchema(file, name), { name, file: toTarget(folder, file) })
    }
  }
  for (const [file, names] of Object.entries(roots)) {
    // The questions of a request are parts of its schema, whose names no declaration mentions.
    for (const name of names) await choose(join(core, file), name)
  }
  const copied = new Map<string, CopiedFile>()
  for (const [file, names] of chosen) {
    copied.set(toTarget(folder, file), await copyFile(file, read(file), names, folder, writer))
  }
  return copied
}

export interface CopiedFile {
  readonly text: string
  readonly exported: ReadonlyArray<string>
}

const copyFile = async (
  file: string,
  { declarations, imports, text }: Source,
  names: ReadonlySet<string>,
  folder: string,
  writer: TypeWriter
): Promise<CopiedFile> => {
  const target = toTarget(folder, file)
  const parts: Array<string> = []
  for (const [name, { end, references, schemas, start }] of declarations) {
    if (!names.has(name)) continue
    let part = text.slice(start, end)
    for (const { end, inherited, schema, start: from } of schemas.toReversed()) {
      const json = await readSchema(resolveSchema(file, imports, schema), schema)
      const before = part.slice(0, from - start)
      if (inherited === undefined) {
        part = before + writer.write(json, target, schema !== name) + part.slice(end - start)
      } else {
        const fields = writer.write(omitFields(json, inherited.omitted), target, false)
        const body = inherited.bodyStart - start
        part = `${before.replace(/extends\s*$/, "")}${part.slice(end - start, body)}{${fields.slice(1, -1)}${part.slice(body + 1)}`
      }
    }
    for (const reference of references) {
      const imported = imports.get(reference)
      if (imported !== undefined)
        writer.use({ name: reference, file: toTarget(folder, imported.file) }, target)
    }
    parts.push(part.replaceAll(/ in process\b/g, "").replace(streamField, ""))
  }
  const exported = [...names].filter((name) => declarations.get(name)?.isExported)
  for (const name of exported) writer.reserve(name)
  const title = /^\/\*\*[\s\S]*?\*\//.exec(text)?.[0].replaceAll(/ in process\b/g, "") ?? ""
  return {
    text: `${title}\n${writer.writeImports(target)}\n${parts.join("\n\n")}\n`,
    exported
  }
}

/** The client has a function for each form of an answer instead. */
const streamField = /(?:\n +\/\*\*[^\n]*\*\/)?\n +readonly stream\?: boolean \| null(?=\n)/

const toTarget = (folder: string, file: string): string => `${folder}/${basename(file)}`

const resolveSchema = (file: string, imports: Source["imports"], name: string): string =>
  imports.get(name)?.file ?? file

const omitFields = (schema: JsonSchema, omitted: ReadonlySet<string>): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(([name]) => !omitted.has(name))
  )
})

const readSchema = async (file: string, name: string): Promise<JsonSchema> => {
  const module: Readonly<Record<string, unknown>> = await import(file)
  const schema = module[name]
  if (!Schema.isSchema(schema)) {
    throw new Error(`${relative(core, file)} exports no schema ${name}`)
  }
  return Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" }).schema
}

/** The parts of a syntax tree that are read here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

const readSource = (file: string): Source => {
  const text = readFileSync(file, "utf8")
  const { comments, errors, program } = parseSync(file, text)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  const imports = new Map<string, { readonly file: string; readonly name: string }>()
  const declarations = new Map<string, Declaration>()
  for (const statement of program.body) {
    if (statement.type === "ImportDeclaration") {
      if (!statement.source.value.startsWith(".")) continue
      for (const specifier of statement.specifiers) {
        if (specifier.type !== "ImportSpecifier" || specifier.imported.type !== "Identifier")
          continue
        imports.set(specifier.local.name, {
          file: resolve(dirname(file), statement.source.value),
          name: specifier.imported.name
        })
      }
      continue
    }
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
    if (
      declared?.type !== "TSInterfaceDeclaration" &&
      declared?.type !== "TSTypeAliasDeclaration"
    ) {
      continue
    }
    const docstring = comments.findLast(
      (comment) =>
        comment.end <= statement.start && /^\s*$/.test(text.slice(comment.end, statement.start))
    )
    declarations.set(declared.id.name, {
      start: docstring?.value.startsWith("*") === true ? docstring.start : statement.start,
      end: statement.end,
      isExported: statement.type === "ExportNamedDeclaration",
      ...readReferences(program, declared, text)
    })
  }
  return { text, declarations, imports }
}

const readReferences = (
  program: Parameters<Visitor["visit"]>[0],
  declared: Node & { readonly body?: Node },
  text: string
) => {
  const references = new Set<string>()
  const schemas: Array<SchemaType> = []
  const isInside = ({ end, start }: Node): boolean => start >= declared.start && end <= declared.end
  const omits: Array<SchemaType> = []
  new Visitor({
    TSInterfaceHeritage: (node) => {
      if (!isInside(node)) return
      const found = /^Omit<\s*typeof (\w+)\.Type,([\s\S]*)>$/.exec(text.slice(node.start, node.end))
      if (found?.[1] !== undefined && declared.body !== undefined) {
        const omitted = new Set(
          Array.from((found[2] ?? "").matchAll(/"(\w+)"/g), ([, name = ""]) => name)
        )
        omits.push({
          start: node.start,
          end: node.end,
          schema: found[1],
          inherited: { omitted, bodyStart: declared.body.start }
        })
      } else if (node.expression.type === "Identifier") references.add(node.expression.name)
    },
    TSTypeReference: (node) => {
      if (isInside(node) && node.typeName.type === "Identifier") references.add(node.typeName.name)
    },
    TSTypeQuery: (node) => {
      if (!isInside(node)) return
      const schema = /^typeof (\w+)\.Type$/.exec(text.slice(node.start, node.end))?.[1]
      if (schema === undefined) throw new Error(`Cannot copy ${text.slice(node.start, node.end)}`)
      schemas.push({ start: node.start, end: node.end, schema })
    }
  }).visit(program)
  const outside = schemas.filter(
    (query) => !omits.some(({ end, start }) => query.start >= start && query.end <= end)
  )
  return {
    references,
    schemas: [...outside, ...omits].toSorted((one, other) => one.start - other.start)
  }
}
