/** Writes JSON schemas of the contract as TypeScript types, with names for those that occur more than once. */
import { posix } from "node:path"

/** The part of JSON schema that the contract uses. */
export interface JsonSchema {
  readonly type?: string
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly enum?: ReadonlyArray<string | number | boolean | null>
  readonly not?: JsonSchema
  readonly items?: JsonSchema | false
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly minItems?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: JsonSchema | boolean
  readonly description?: string
}

/** Where a named type is declared, relative to the generated folder. */
interface NamedType {
  readonly name: string
  readonly file: string
}

/** Names of types are unique, because the package exports all of them. */
export class TypeWriter {
  readonly #named = new Map<string, NamedType>()
  readonly #names = new Set<string>()
  /** The types that each file uses, by the file that declares them. */
  readonly #imports = new Map<string, Map<string, Set<string>>>()

  /** Gives a schema a name. Small ones are easier to read where they are. */
  add(schema: JsonSchema, type: NamedType): void {
    this.#names.add(type.name)
    const key = toKey(schema)
    if (key.length > 60 && !this.#named.has(key)) this.#named.set(key, type)
  }

  reserve(name: string): void {
    this.#names.add(name)
  }

  isFree(name: string): boolean {
    return !this.#names.has(name)
  }

  find(schema: JsonSchema): NamedType | undefined {
    return this.#named.get(toKey(schema))
  }

  /** The type in `file`. `isNamed: false` writes out the schema itself, whose parts may have names. */
  write(schema: JsonSchema, file: string, isNamed = true): string {
    const named = isNamed ? this.find(schema) : undefined
    if (named !== undefined) return this.use(named, file)
    const write = (part: JsonSchema): string => this.write(part, file)
    const { allOf = [], anyOf, enum: literals, items, prefixItems, type } = schema
    if (schema.not !== undefined) return "never"
    if (anyOf !== undefined) return writeUnion(anyOf, write)
    if (literals !== undefined) return literals.map((each) => JSON.stringify(each)).join(" | ")
    if (type === "array") {
      const item = write(items || (prefixItems?.[0] ?? {}))
      const list = `ReadonlyArray<${item}>`
      return prefixItems === undefined ? list : `readonly [${item}, ...${list}]`
    }
    if (type === "object") return this.#writeObject(schema, allOf, write)
    if (type === "integer") return "number"
    return type ?? (allOf[0] === undefined ? "unknown" : write(allOf[0]))
  }

  /** Imports a type into `file`, if it is declared in another, and returns its name. */
  use({ file: from, name }: NamedType, file: string): string {
    if (from !== file) {
      const imports = this.#imports.get(file) ?? new Map<string, Set<string>>()
      this.#imports.set(file, imports)
      imports.set(from, (imports.get(from) ?? new Set()).add(name))
    }
    return name
  }

  writeImports(file: string): string {
    return Array.from(this.#imports.get(file) ?? [], ([from, names]) => {
      const path = posix.relative(posix.dirname(file), from)
      const specifier = path.startsWith(".") ? path : `./${path}`
      return `import type { ${[...names].toSorted().join(", ")} } from "${specifier}"\n`
    })
      .toSorted()
      .join("")
  }

  #writeObject(
    { additionalProperties: rest, properties = {}, required = [] }: JsonSchema,
    allOf: ReadonlyArray<JsonSchema>,
    write: (part: JsonSchema) => string
  ): string {
    const isOpen = allOf.some(({ additionalProperties }) => additionalProperties !== undefined)
    const fields = Object.entries(properties).map(([name, field]) => {
      const comment = field.description === undefined ? "" : `/** ${field.description} */\n`
      return `${comment}readonly ${writeKey(name)}${required.includes(name) ? "" : "?"}: ${write(field)}`
    })
    if (fields.length > 0) {
      return `{\n${[...fields, ...(isOpen ? ["readonly [field: string]: unknown"] : [])].join("\n")}\n}`
    }
    const value = typeof rest === "object" ? write(rest) : "unknown"
    return rest === false ? "Readonly<Record<string, never>>" : `Readonly<Record<string, ${value}>>`
  }
}

const writeUnion = (
  members: ReadonlyArray<JsonSchema>,
  write: (part: JsonSchema) => string
): string => {
  // What is text or a container in the contract (`Guidance`): JSON schema has no word for a declared type.
  const isGuidance =
    members[0]?.type === "string" && Object.keys(members[1] ?? { type: "" }).length === 0
  const types = members.map((member, index) =>
    isGuidance && index === 1 ? "object" : write(member)
  )
  if (types.includes("unknown")) return "unknown"
  const isText = types.includes("string")
  return [...new Set(types)].filter((type) => !isText || !/^"[^"]*"$/.test(type)).join(" | ")
}

const writeKey = (name: string): string =>
  /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)

/** Equal for schemas of one type: bounds and descriptions do not count. */
const toKey = (schema: JsonSchema): string =>
  JSON.stringify(schema, (name, value: unknown) =>
    [
      "description",
      "minimum",
      "maximum",
      "minLength",
      "maxLength",
      "pattern",
      "minProperties",
      "default",
      "format"
    ].includes(name) && typeof value !== "object"
      ? undefined
      : value
  )
