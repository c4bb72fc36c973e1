/** What the parts of prompts and answers say under `signalbox` beside the fields that all providers have. */
import type { SharedV4ProviderMetadata, SharedV4ProviderOptions } from "@ai-sdk/provider"
import type { CacheMark, ReasoningPart, Signature } from "@signalbox/core/dialects"
import { isObject } from "../isObject.ts"
import { optionsKey, readOptions, refuse } from "./readOptions.ts"

/** `providerOptions.signalbox` of messages, parts and tools. */
export type SignalboxPartOptions = {
  /** Marks the end of a prefix that the provider may cache for later requests. */
  readonly cacheControl?: { readonly type: "ephemeral"; readonly ttl?: string }
  /** How closely the model looks at an image, such as `low` or `high`. */
  readonly detail?: string
}

/** The metadata of parts of answers, which go back with them. */
const writtenNames = {
  encrypted: true,
  format: true,
  id: true,
  isSummary: true,
  refusal: true,
  signature: true
} as const

const partNames = { ...writtenNames, cacheControl: true, detail: true } as const

/** What a part of a prompt says. */
export interface PartOptions {
  readonly cache?: CacheMark
  readonly detail?: string
  /** Of a text or a call. */
  readonly signature?: Signature
  readonly reasoning: Omit<ReasoningPart, "text" | "type">
  readonly isRefusal: boolean
}

export const readPartOptions = (
  all: SharedV4ProviderOptions | undefined,
  where: string
): PartOptions => {
  const options = readOptions(all, partNames, where)
  const { cacheControl, detail, encrypted, format, id, isSummary, refusal, signature } = options
  const cache = readCacheMark(cacheControl, where)
  if (detail !== undefined && detail !== null && typeof detail !== "string") {
    throw refuse(`${where}.providerOptions.${optionsKey}.detail`, 'must be a word such as "low"')
  }
  return {
    ...(cache === undefined ? undefined : { cache }),
    ...(typeof detail === "string" ? { detail } : undefined),
    ...(isObject(signature) &&
    typeof signature["format"] === "string" &&
    typeof signature["value"] === "string"
      ? { signature: { format: signature["format"], value: signature["value"] } }
      : undefined),
    reasoning: {
      format: typeof format === "string" ? format : "unknown",
      ...(typeof encrypted === "string" ? { encrypted } : undefined),
      ...(typeof id === "string" ? { id } : undefined),
      ...(isSummary === true ? { isSummary } : undefined),
      ...(typeof signature === "string" ? { signature } : undefined)
    },
    isRefusal: refusal === true
  }
}

const readCacheMark = (mark: unknown, where: string): CacheMark | undefined => {
  if (mark === undefined || mark === null) return undefined
  if (!isObject(mark) || mark["type"] !== "ephemeral") {
    throw refuse(
      `${where}.providerOptions.${optionsKey}.cacheControl`,
      'must be { type: "ephemeral" }, with a ttl if need be'
    )
  }
  const { ttl } = mark
  if (ttl === undefined || ttl === null) return { type: "ephemeral" }
  if (typeof ttl === "string") return { type: "ephemeral", ttl }
  throw refuse(
    `${where}.providerOptions.${optionsKey}.cacheControl.ttl`,
    'must be a text such as "1h"'
  )
}

/** Of a text or a call; undefined: there is nothing to say. */
export const writeSignature = (
  signature: Signature | undefined
): { readonly providerMetadata: SharedV4ProviderMetadata } | undefined =>
  signature === undefined
    ? undefined
    : { providerMetadata: { [optionsKey]: { signature: { ...signature } } } }

export const writeReasoning = ({
  encrypted,
  format,
  id,
  isSummary,
  signature
}: Pick<ReasoningPart, "encrypted" | "format" | "id" | "isSummary" | "signature">): {
  readonly providerMetadata: SharedV4ProviderMetadata
} => ({
  providerMetadata: {
    [optionsKey]: {
      format,
      ...(encrypted === undefined ? undefined : { encrypted }),
      ...(id === undefined ? undefined : { id }),
      ...(isSummary === undefined ? undefined : { isSummary }),
      ...(signature === undefined ? undefined : { signature })
    }
  }
})
