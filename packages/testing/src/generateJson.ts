/** Generates a value that fits a JSON Schema, with scripted or default numbers. */
import { type Distribution, findIndexOfMax, toWeights } from "./Distribution.ts"
import { isObject, getProperty } from "./getProperty.ts"

/** The names of the questions that a reply of this schema answers: its properties. */
export const toQuestions = (schema: unknown): ReadonlyArray<string> =>
  Object.keys(getProperties(schema))

/**
 * A reply that fits `schema`. A number is the probability of yes, an object or array of numbers is
 * a distribution, and an enum or a boolean is the most probable option.
 */
export const generateJson = (
  schema: unknown,
  stated: ReadonlyMap<string, Distribution>
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(getProperties(schema)).map(([name, of]) => [
      name,
      generateValue(of, schema, stated.get(name))
    ])
  )

const generateValue = (given: unknown, root: unknown, stated?: Distribution): unknown => {
  const schema = resolveReference(given, root)
  const either = getProperty(schema, "anyOf") ?? getProperty(schema, "oneOf")
  if (Array.isArray(either)) return generateValue(either[0], root, stated)
  if (getProperty(schema, "const") !== undefined) return getProperty(schema, "const")
  const options = getProperty(schema, "enum")
  if (Array.isArray(options)) return options[findIndexOfMax(toWeights(options.map(String), stated))]
  const type = getProperty(schema, "type")
  switch (Array.isArray(type) ? type[0] : type) {
    case "object":
      return generateObject(schema, root, stated)
    case "array":
      return generateArray(schema, root, stated)
    case "number":
      return toWeights(["yes", "no"], stated)[0]
    case "integer":
      return getProperty(schema, "minimum") ?? 0
    case "boolean":
      return findIndexOfMax(toWeights(["yes", "no"], stated)) === 0
    case "string":
      return ""
    default:
      return null
  }
}

const generateObject = (schema: unknown, root: unknown, stated?: Distribution) => {
  const properties = Object.entries(getProperties(schema))
  if (!properties.every(([, of]) => isNumber(of, root))) {
    return Object.fromEntries(properties.map(([name, of]) => [name, generateValue(of, root)]))
  }
  const labels = properties.map(([label]) => label)
  const weights = toWeights(labels, stated)
  return Object.fromEntries(labels.map((label, i) => [label, weights[i]]))
}

const generateArray = (schema: unknown, root: unknown, stated?: Distribution) => {
  const tuple = getProperty(schema, "prefixItems")
  const items = getProperty(schema, "items")
  const length = Number(getProperty(schema, "minItems") ?? 1)
  const each: ReadonlyArray<unknown> = Array.isArray(tuple)
    ? tuple
    : Array.from({ length }, () => items)
  return each.every((of) => isNumber(of, root))
    ? toWeights(
        each.map((_, position) => String(position)),
        stated
      )
    : each.map((of) => generateValue(of, root))
}

const getProperties = (schema: unknown): Readonly<Record<string, unknown>> => {
  const properties = getProperty(schema, "properties")
  return isObject(properties) ? properties : {}
}

const isNumber = (schema: unknown, root: unknown): boolean =>
  getProperty(resolveReference(schema, root), "type") === "number"

/** Follows a reference inside the same document, such as `#/$defs/probability`. */
const resolveReference = (schema: unknown, root: unknown): unknown => {
  const reference = getProperty(schema, "$ref")
  return typeof reference === "string"
    ? reference
        .split("/")
        .slice(1)
        .reduce((value, key) => getProperty(value, key), root)
    : schema
}
