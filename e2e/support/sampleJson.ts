/** Creates sample JSON for a schema of an OpenAPI document, with the given text in every string. */
interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly additionalProperties?: boolean | JsonSchema
}

export interface SampleOptions {
  /** Creates the text for a field. */
  readonly text: (field: string) => string
  /** Whether to use the text for other types and in an unknown field as well, which makes the body invalid. */
  readonly everywhere: boolean
}

export const makeSample = (
  schemas: Readonly<Record<string, unknown>>,
  options: SampleOptions
): ((schema: unknown, field: string) => unknown) => {
  const sample = (given: unknown, field: string, depth: number): unknown => {
    const schema = given as JsonSchema
    if (schema.$ref !== undefined) {
      return depth > 12
        ? null
        : sample(schemas[schema.$ref.replace("#/components/schemas/", "")], field, depth + 1)
    }
    const first = (schema.anyOf ?? schema.oneOf ?? []).find(({ type }) => type !== "null")
    if (first !== undefined) return sample(first, field, depth + 1)
    if (schema.properties !== undefined) {
      return {
        ...Object.fromEntries(
          Object.entries(schema.properties).map(([key, property]) => [
            key,
            sample(property, key, depth + 1)
          ])
        ),
        // Operations of management refuse a field that they do not know.
        ...(depth === 0 && options.everywhere
          ? { nobody_knows_this: options.text("nobody") }
          : undefined)
      }
    }
    if (schema.items !== undefined) return [sample(schema.items, field, depth + 1)]
    if (typeof schema.additionalProperties === "object") {
      return {
        [options.text(`${field}-key`)]: sample(schema.additionalProperties, field, depth + 1)
      }
    }
    if (options.everywhere) return options.text(field)
    if (schema.const !== undefined) return schema.const
    if (schema.enum !== undefined) return schema.enum[0]
    switch (typeof schema.type === "string" ? schema.type : schema.type?.[0]) {
      case "boolean":
        return true
      case "integer":
      case "number":
        return Math.max(1, schema.minimum ?? 1)
      case "null":
        return null
      case undefined:
      default:
        return options.text(field)
    }
  }
  return (schema, field) => sample(schema, field, 0)
}
