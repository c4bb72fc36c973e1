/** Reads `providerOptions.signalbox`. */
import {
  InvalidArgumentError,
  type JSONObject,
  type JSONValue,
  type SharedV4ProviderOptions
} from "@ai-sdk/provider"
import { isObject } from "../isObject.ts"

type Options = Readonly<Record<string, JSONValue | undefined>>

/** The key of the options, the metadata and the ids of files that are for Signalbox. */
export const optionsKey = "signalbox"

/**
 * Throws an `InvalidArgumentError` for an unknown option: a misspelt price cap that is ignored would leave the call without
 * one. `where` names the part of the call, such as `tools.look`; absent: the call itself.
 */
export const readOptions = (
  all: SharedV4ProviderOptions | undefined,
  names: Readonly<Record<string, true>>,
  where?: string
): Options => {
  const options: unknown = all?.[optionsKey]
  if (options === undefined) return {}
  const path = `${where === undefined ? "" : `${where}.`}providerOptions.${optionsKey}`
  if (!isJsonObject(options)) throw refuse(path, "must be an object")
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name))
  if (unknown === undefined) return options
  throw refuse(
    `${path}.${unknown}`,
    `is no option; there are ${Object.keys(names).toSorted().join(", ")}`
  )
}

export const refuse = (argument: string, problem: string): InvalidArgumentError =>
  new InvalidArgumentError({ argument, message: `${argument} ${problem}` })

/** The AI SDK checks neither the type nor the values of options; what JSON cannot say is refused by the call. */
const isJsonObject = (value: unknown): value is JSONObject => isObject(value)
