/** What parts of prompts and answers say under `signalbox` beside the fields that all providers have. */
import type { CacheMark, ReasoningPart, Signature } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"

type CacheControl = {
  readonly type: "ephemeral"
  readonly ttl?: string | null
}

/** Marks the end of a prefix that the provider may cache for later requests. */
export type CacheOptions = {
  readonly cacheControl?: CacheControl | null
}

/** An opaque proof of the provider, which goes back with its part. */
export type SignatureMetadata = {
  readonly signature?: { readonly format: string; readonly value: string } | null
}

/** The facts of a text besides its words. */
export type TextMetadata = SignatureMetadata & {
  /** Whether it says why the model declined to answer. */
  readonly refusal?: boolean | null
}

/** Whose reasoning it is, which goes back with it: a provider reads the reasoning of its own family only. */
export type ReasoningMetadata = {
  /** Such as `anthropic-claude-v1`. */
  readonly format?: string | null
  readonly signature?: string | null
  /** The reasoning itself, readable for its provider only. */
  readonly encrypted?: string | null
  readonly id?: string | null
  readonly isSummary?: boolean | null
}

/** Undefined: there is nothing to say. */
export const toSignatureMetadata = (
  signature: Signature | undefined
): SignatureMetadata | undefined =>
  signature === undefined ? undefined : { signature: { ...signature } }

export const toReasoningMetadata = ({
  encrypted,
  format,
  id,
  isSummary,
  signature
}: Omit<ReasoningPart, "extra" | "text" | "type">): ReasoningMetadata => ({
  format,
  ...omitUndefined({ encrypted, id, isSummary, signature })
})

/** The same of a part of a prompt, and what only prompts say. */
export interface PartOptions {
  readonly cache?: CacheMark
  /** The resolution of an image. */
  readonly detail?: string
  /** The signature of a text or a call. */
  readonly signature?: Signature
  readonly reasoning: Omit<ReasoningPart, "extra" | "text" | "type">
  readonly isRefusal: boolean
}

/** Values of another type are left out. */
export const parsePartOptions = (
  options: Readonly<Record<string, unknown>> | null | undefined
): PartOptions => {
  const { cacheControl, detail, encrypted, format, id, isSummary, refusal, signature } =
    options ?? {}
  return {
    ...omitUndefined({
      cache: parseCacheMark(cacheControl),
      detail: toText(detail),
      signature: parseSignature(signature)
    }),
    reasoning: {
      format: toText(format) ?? "unknown",
      ...(isSummary === true ? { isSummary } : undefined),
      ...omitUndefined({
        encrypted: toText(encrypted),
        id: toText(id),
        signature: toText(signature)
      })
    },
    isRefusal: refusal === true
  }
}

const parseCacheMark = (mark: unknown): CacheMark | undefined =>
  isObject(mark) && mark["type"] === "ephemeral"
    ? { type: "ephemeral", ...omitUndefined({ ttl: toText(mark["ttl"]) }) }
    : undefined

const parseSignature = (signature: unknown): Signature | undefined => {
  if (!isObject(signature)) return undefined
  const { format, value } = signature
  return typeof format === "string" && typeof value === "string" ? { format, value } : undefined
}

const toText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined
