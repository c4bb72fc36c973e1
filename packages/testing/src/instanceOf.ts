/** A value that fits a JSON Schema, with the numbers a script states or the default ones. */
import { type Distribution, greatest, weigh } from "./Distribution.ts"
import { isObject, property } from "./property.ts"

/** The names of the questions that a reply of this schema answers: its properties. */
export const questionsOf = (schema: unknown): ReadonlyArray<string> =>
  Object.keys(propertiesOf(schema))

/**
 * A reply that fits `schema`. A number of its own is the probability of yes, an object or array of
 * numbers a distribution, an enum or a boolean the likeliest option.
 */
export const instanceOf = (
  schema: unknown,
  stated: ReadonlyMap<string, Distribution>
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(propertiesOf(schema)).map(([name, of]) => [
      name,
      valueOf(of, schema, stated.get(name))
    ])
  )

const valueOf = (given: unknown, root: unknown, stated?: Distribution): unknown => {
  const schema = resolved(given, root)
  const either = property(schema, "anyOf") ?? property(schema, "oneOf")
  if (Array.isArray(either)) return valueOf(either[0], root, stated)
  if (property(schema, "const") !== undefined) return property(schema, "const")
  const options = property(schema, "enum")
  if (Array.isArray(options)) return options[greatest(weigh(options.map(String), stated))]
  const type = property(schema, "type")
  switch (Array.isArray(type) ? type[0] : type) {
    case "object":
      return objectOf(schema, root, stated)
    case "array":
      return arrayOf(schema, root, stated)
    case "number":
      return weigh(["yes", "no"], stated)[0]
    case "integer":
      return property(schema, "minimum") ?? 0
    case "boolean":
      return greatest(weigh(["yes", "no"], stated)) === 0
    case "string":
      return ""
    default:
      return null
  }
}

const objectOf = (schema: unknown, root: unknown, stated?: Distribution) => {
  const properties = Object.entries(propertiesOf(schema))
  if (!properties.every(([, of]) => isNumber(of, root))) {
    return Object.fromEntries(properties.map(([name, of]) => [name, valueOf(of, root)]))
  }
  const labels = properties.map(([label]) => label)
  const weights = weigh(labels, stated)
  return Object.fromEntries(labels.map((label, i) => [label, weights[i]]))
}

const arrayOf = (schema: unknown, root: unknown, stated?: Distribution) => {
  const tuple = property(schema, "prefixItems")
  const items = property(schema, "items")
  const length = Number(property(schema, "minItems") ?? 1)
  const each: ReadonlyArray<unknown> = Array.isArray(tuple)
    ? tuple
    : Array.from({ length }, () => items)
  return each.every((of) => isNumber(of, root))
    ? weigh(
        each.map((_, position) => String(position)),
        stated
      )
    : each.map((of) => valueOf(of, root))
}

const propertiesOf = (schema: unknown): Readonly<Record<string, unknown>> => {
  const properties = property(schema, "properties")
  return isObject(properties) ? properties : {}
}

const isNumber = (schema: unknown, root: unknown): boolean =>
  property(resolved(schema, root), "type") === "number"

/** Follows a reference inside the same document, such as `#/$defs/probability`. */
const resolved = (schema: unknown, root: unknown): unknown => {
  const reference = property(schema, "$ref")
  return typeof reference === "string"
    ? reference
        .split("/")
        .slice(1)
        .reduce((value, key) => property(value, key), root)
    : schema
}
