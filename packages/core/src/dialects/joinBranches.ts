/** The schema of a tool without a choice at its top, for providers that refuse one. */
import { isObject, toList } from "../values/json/guards.ts"
import { setOwn } from "../values/ownFields.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * An object with the properties of all branches, of which it requires only those that an `allOf` branch requires:
 * "input_schema does not support oneOf, allOf, or anyOf at the top level"
 * (https://github.com/MoonshotAI/kimi-code/issues/2328). The same object without branches.
 */
export const joinBranches = (parameters: Json): Json => {
  if (!unionNames.some((name) => Array.isArray(parameters[name]))) return parameters
  const { allOf: _, anyOf: __, oneOf: ___, ...rest } = parameters
  const properties: Record<string, unknown> = {}
  const required = new Set<unknown>(toList(parameters["required"]))
  for (const name of unionNames) {
    for (const branch of toList(parameters[name])) {
      if (!isObject(branch)) continue
      const inside = isObject(branch["properties"]) ? branch["properties"] : {}
      for (const key of Object.keys(inside)) setOwn(properties, key, inside[key])
      if (name === "allOf") for (const key of toList(branch["required"])) required.add(key)
    }
  }
  const own = isObject(parameters["properties"]) ? parameters["properties"] : {}
  for (const key of Object.keys(own)) setOwn(properties, key, own[key])
  return { ...rest, properties, ...(required.size === 0 ? undefined : { required: [...required] }) }
}

const unionNames: ReadonlyArray<string> = ["allOf", "anyOf", "oneOf"]
