/** Removes parameters from a passed-on request that the endpoint's list does not name. */
import { replaceFields } from "./RequestChanges.ts"

type Json = Readonly<Record<string, unknown>>

/** Names of chat by the fields of a dialect that say the same. */
export type ParameterNames = ReadonlyMap<string, string>

/** Undefined: the endpoint has no list, and everything is passed on. */
export type SupportedParameters = ReadonlySet<string> | undefined

/** Chat has two names for the maximum length of an answer, and a list may have either. */
export const outputCap = "max_tokens"

export const supports = (supported: SupportedParameters, parameter: string): boolean =>
  supported === undefined ||
  supported.has(parameter) ||
  (equivalents.get(parameter)?.some((name) => supported.has(name)) ?? false)

/** Other names of the same in a list. */
const equivalents: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  [outputCap, ["max_completion_tokens"]],
  ["reasoning", ["reasoning_effort", "thinking"]]
])

/** The same object when nothing is left out. Fields without a name in chat, which no list can have, stay. */
export const omitUnsupported = (
  json: Json,
  names: ParameterNames,
  supported: SupportedParameters,
  /** The name of a field in `names`; absent: the same. */
  toName: (field: string) => string = (field) => field
): Json => {
  if (supported === undefined) return json
  const omitted = Object.keys(json).filter((field) => {
    const parameter = names.get(toName(field))
    return parameter !== undefined && !supports(supported, parameter)
  })
  return omitted.length === 0
    ? json
    : replaceFields(json, Object.fromEntries(omitted.map((field) => [field, undefined])))
}
