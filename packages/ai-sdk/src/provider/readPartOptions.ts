/** Reads `providerOptions.signalbox` of messages, parts and tools. */
import type { SharedV4ProviderOptions } from "@ai-sdk/provider"
import { parsePartOptions, type PartOptions } from "@signalbox/core/dialects"
import { isObject } from "../isObject.ts"
import { optionsKey, readOptions, refuse } from "./readOptions.ts"

/** `providerOptions.signalbox` of messages, parts and tools. */
export type SignalboxPartOptions = {
  /** Marks the end of a prefix that the provider may cache for later requests. */
  readonly cacheControl?: { readonly type: "ephemeral"; readonly ttl?: string }
  /** How closely the model looks at an image, such as `low` or `high`. */
  readonly detail?: string
}

/** What an application may say, and the metadata of parts of answers, which go back with them. */
const partNames = {
  cacheControl: true,
  detail: true,
  encrypted: true,
  format: true,
  id: true,
  isSummary: true,
  refusal: true,
  signature: true
} as const

/** Throws an `InvalidArgumentError` for what an application says and has another type. */
export const readPartOptions = (
  all: SharedV4ProviderOptions | undefined,
  where: string
): PartOptions => {
  const options = readOptions(all, partNames, where)
  const { cacheControl: mark, detail } = options
  const check = (isValid: boolean, name: string, problem: string): void => {
    if (!isValid) throw refuse(`${where}.providerOptions.${optionsKey}.${name}`, problem)
  }
  check(isTextOrNone(detail), "detail", 'must be a word such as "low"')
  if (mark !== undefined && mark !== null) {
    const isMark = isObject(mark) && mark["type"] === "ephemeral"
    check(isMark, "cacheControl", 'must be { type: "ephemeral" }, with a ttl if need be')
    check(
      isObject(mark) && isTextOrNone(mark["ttl"]),
      "cacheControl.ttl",
      'must be a text such as "1h"'
    )
  }
  return parsePartOptions(options)
}

const isTextOrNone = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === "string"
