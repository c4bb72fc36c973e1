/** What a provider wants back with its reasoning, calls and texts, carried as their signatures. */
import type { Signature } from "@signalbox/core/dialects"
import type { SharedV4ProviderMetadata, SharedV4ProviderOptions } from "@ai-sdk/provider"
import { isObject } from "./isObject.ts"

/** The `format` of reasoning details; `provider` is the model's provider, such as `groq.chat`. */
export const toReasoningFormat = (provider: string): string => `${toReasoningFamily(provider)}-v1`

/** Who reads the details: models of the same provider. */
export const toReasoningFamily = (provider: string): string => `ai-sdk-${provider}`

/** Undefined when the metadata says nothing. */
export const writeSignature = (
  metadata: SharedV4ProviderMetadata | undefined,
  format: string
): Signature | undefined =>
  isObject(metadata) && Object.values(metadata).some(saysSomething)
    ? { format, value: JSON.stringify(metadata) }
    : undefined

const saysSomething = (fields: unknown): boolean =>
  isObject(fields) && Object.keys(fields).length > 0

/** Callers send signatures back, or something else instead, which counts as none. */
export const readSignature = (value: string | undefined): SharedV4ProviderOptions | undefined => {
  if (value === undefined) return undefined
  try {
    const metadata: unknown = JSON.parse(value)
    return isMetadata(metadata) ? metadata : undefined
  } catch {
    return undefined
  }
}

/** What is inside the objects is JSON, because it was parsed from it. */
const isMetadata = (metadata: unknown): metadata is SharedV4ProviderOptions =>
  isObject(metadata) && Object.values(metadata).every(isObject)
