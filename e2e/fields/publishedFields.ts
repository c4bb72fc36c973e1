/** Lists a request for each field that a schema of OpenRouter's published API describes, at any depth. */

type Json = Readonly<Record<string, unknown>>

interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly minimum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly additionalProperties?: boolean | JsonSchema
}

/** A value, and the path in it of the field that it is about. */
export interface FieldCase {
  readonly value: unknown
  readonly path: ReadonlyArray<number | string>
  /** The other values of the field, if it has a list of them. */
  readonly others?: ReadonlyArray<unknown>
  /** Whether the field has one value only, which says what the object is. */
  readonly isFixed?: true
}

export type Schemas = Readonly<Record<string, JsonSchema>>

/** Deeper fields are the caller's own, such as those of a schema within a schema. */
const maxDepth = 7

export const listFieldCases = (schemas: Schemas, name: string): ReadonlyArray<FieldCase> => {
  /** The smallest value, and one for each further field, form or value. */
  const list = (given: JsonSchema, field: string, depth: number): ReadonlyArray<FieldCase> => {
    const schema = resolve(given)
    const forms = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== "null")
    if (forms !== undefined) return forms.flatMap((form) => list(form, field, depth))
    if (schema.properties !== undefined) return listObject(schema, depth)
    if (schema.items !== undefined) {
      return list(schema.items, field, depth - 1).map(({ path, value, ...rest }) => ({
        ...rest,
        value: [value],
        path: [0, ...path]
      }))
    }
    return listLeaves(schema, field)
  }

  const listObject = (
    { properties = {}, required = [] }: JsonSchema,
    depth: number
  ): ReadonlyArray<FieldCase> => {
    const fields = Object.entries(properties)
      .filter(([key]) => depth > 0 || required.includes(key))
      .map(([key, schema]) => [key, list(schema, key, depth - 1)] as const)
    const least: Json = Object.fromEntries(
      fields.flatMap(([key, cases]) => (required.includes(key) ? [[key, cases[0]?.value]] : []))
    )
    if (depth <= 0) return [{ value: least, path: [] }]
    return [
      { value: least, path: [] },
      ...fields.flatMap(([key, cases]) =>
        cases.map(({ path, value, ...rest }) => ({
          ...rest,
          value: { ...least, [key]: value },
          path: [key, ...path]
        }))
      ),
      { value: { ...least, unheard_of: "a" }, path: ["unheard_of"] }
    ]
  }

  const resolve = (schema: JsonSchema): JsonSchema => {
    if (schema.$ref === undefined) return schema
    return resolve(schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {})
  }

  return list({ $ref: name }, name, maxDepth).filter(({ path }) => path.length > 0)
}

const listLeaves = (schema: JsonSchema, field: string): ReadonlyArray<FieldCase> => {
  const values = listValues(schema)
  if (values === undefined) return [{ value: toLeaf(schema, field), path: [] }]
  if (values.length === 1) return [{ value: values[0], path: [], isFixed: true }]
  return values.map((value) => ({
    value,
    path: [],
    others: values.filter((each) => each !== value)
  }))
}

/** Undefined: there are too many. */
const listValues = (schema: JsonSchema): ReadonlyArray<unknown> | undefined => {
  if (schema.const !== undefined) return [schema.const]
  return schema.type === "boolean" ? [true, false] : schema.enum
}

const toLeaf = ({ minimum = 2, type }: JsonSchema, field: string): unknown => {
  switch (type) {
    case "integer":
      return Math.max(2, minimum)
    case "number":
      // What is usual, such as a temperature of 1, asks for nothing.
      return 0.5
    case "array":
      return ["a"]
    case "object":
      return { a: "b" }
    case undefined:
    default:
      return toText(field)
  }
}

/** What checks of the router take. */
const toText = (field: string): string => {
  if (/url|file_data|^image$/.test(field)) return "https://example.com/a.png"
  if (field === "data") return "aGVsbG8="
  if (field === "format") return "mp3"
  if (field === "media_type") return "image/png"
  if (field === "aspect_ratio") return "16:9"
  if (field === "size") return "1024x1024"
  return field === "arguments" ? "{}" : "a"
}

/** Undefined where the value has no such field. */
export const getAt = (value: unknown, path: FieldCase["path"]): unknown =>
  path.reduce<unknown>(
    (holder, name) =>
      typeof holder === "object" && holder !== null ? Reflect.get(holder, name) : undefined,
    value
  )

/** The value with another value of the field. */
export const replaceAt = (
  value: unknown,
  [first, ...rest]: FieldCase["path"],
  other: unknown
): unknown => {
  if (first === undefined) return other
  if (typeof value !== "object" || value === null) return value
  const inside = replaceAt(Reflect.get(value, first), rest, other)
  return Array.isArray(value)
    ? value.map((each: unknown, at) => (at === first ? inside : each))
    : { ...value, [first]: inside }
}

/** The value without the field, or the element of a list; undefined: it has none. */
export const omitAt = (value: unknown, [first, ...rest]: FieldCase["path"]): unknown => {
  if (first === undefined || typeof value !== "object" || value === null) return undefined
  if (Array.isArray(value)) {
    return rest.length === 0
      ? value.filter((_, at) => at !== first)
      : value.map((each: unknown, at) => (at === first ? omitAt(each, rest) : each))
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inside]) => {
      if (key !== first) return [[key, inside]]
      return rest.length === 0 ? [] : [[key, omitAt(inside, rest)]]
    })
  )
}

/** As a row of the table names it, such as `messages[].name`. */
export const toFieldName = (path: FieldCase["path"]): string =>
  path.reduce<string>(
    (name, each) =>
      typeof each === "number" ? `${name}[]` : name === "" ? each : `${name}.${each}`,
    ""
  )
