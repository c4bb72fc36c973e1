/** An operation of a group: its route, its input as one object, and its answer. */
import type { JsonSchema } from "./TypeWriter.ts"

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: JsonSchema
}

interface Content {
  readonly schema: JsonSchema
}

/** An operation of the OpenAPI document. */
export interface DocumentOperation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary?: string
  readonly description?: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Content>> }>
  >
}

export interface GroupOperation {
  readonly group: string
  readonly name: string
  readonly method: string
  /** With parameters as `:name`. */
  readonly path: string
  readonly document: DocumentOperation
}

/** Fields that choose a representation; the client has one for each. */
const representationFields: ReadonlySet<string> = new Set([
  "stream",
  "use_rss",
  "use_rss_chat_links"
])

/** A method and a path, with the names of query parameters where a body takes the other fields. */
export const toRoute = ({ document, method, path }: GroupOperation): string => {
  const query = document.parameters.filter((each) => each.in === "query").map(({ name }) => name)
  return `${method} ${path}${method === "GET" || query.length === 0 ? "" : `?${query.join(",")}`}`
}

/** Path parameters, query and body as one object, as in process. */
export const toInputSchema = ({
  document,
  group,
  name
}: GroupOperation): { readonly schema?: JsonSchema; readonly isOptional: boolean } => {
  const parameters = document.parameters.filter(
    (each) => each.in !== "header" && !representationFields.has(each.name)
  )
  const body = document.requestBody?.content["application/json"]?.schema
  if (body !== undefined && body.properties === undefined && parameters.length === 0) {
    return { schema: body, isOptional: false }
  }
  const fields = Object.entries(body?.properties ?? {}).filter(
    ([field]) => !representationFields.has(field)
  )
  const both = fields.find(([field]) => parameters.some((each) => each.name === field))
  if (both !== undefined) throw new Error(`${group}.${name} has two fields ${both[0]}`)
  if (parameters.length + fields.length === 0) return { isOptional: true }
  const required = [
    ...parameters.filter((each) => each.required).map((each) => each.name),
    ...(body?.required ?? [])
  ]
  return {
    isOptional: required.length === 0,
    schema: {
      type: "object",
      properties: Object.fromEntries([
        ...parameters.map((each) => [each.name, each.schema] as const),
        ...fields
      ]),
      required,
      ...(body?.allOf === undefined ? undefined : { allOf: body.allOf })
    }
  }
}

export const findAnswer = ({ responses }: DocumentOperation): readonly [string, JsonSchema] => {
  const contents = Object.entries(responses)
    .filter(([status]) => status < "300")
    .flatMap(([, { content = {} }]) => Object.entries(content))
  const [found] = contents
  if (found === undefined) return ["", {}]
  const stream = contents.find(([media]) => media.startsWith("text/event-stream"))
  if (stream !== undefined) {
    const others = contents.filter((each) => each !== stream).map(([, { schema }]) => schema)
    const event = findEventSchema(stream[1].schema)
    return [stream[0], others.length === 0 ? event : { anyOf: [event, ...others] }]
  }
  const [media, { schema }] = found
  // The answers of a repeated and a first request, for example, differ in a field.
  const all = contents.filter(([other]) => other === media).map(([, other]) => other.schema)
  return [media, all.length > 1 ? { anyOf: all } : schema]
}

/** The data of an event, which the document has as JSON text. */
const findEventSchema = (schema: JsonSchema): JsonSchema => {
  const data: (JsonSchema & { readonly contentSchema?: JsonSchema }) | undefined =
    schema.properties?.["data"]
  if (data?.contentSchema === undefined) throw new Error("An event has data")
  return data.contentSchema
}

/** The schema of an item, if the operation is a list that is paged. */
export const findItem = ({ document }: GroupOperation, { properties = {} }: JsonSchema) => {
  const names = new Set(document.parameters.map(({ name }) => name))
  const isPaged = names.has("starting_after") || (names.has("offset") && names.has("limit"))
  const items = properties["data"]?.items
  return isPaged && typeof items === "object" ? items : undefined
}
