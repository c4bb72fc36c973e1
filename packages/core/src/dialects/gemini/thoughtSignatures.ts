/**
 * Signatures of reasoning in the field that Google's API has for its own. Clients send it back unchanged, so it can hold
 * what other providers signed or encrypted.
 */
import * as Base64 from "effect/encoding/Base64"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import type { Signature } from "../../conversation/Part.ts"
import {
  type ForeignReasoning,
  foreignPrefix,
  getReasoningFamily,
  parseForeignReasoning,
  writeForeignReasoning
} from "../reasoningFamily.ts"

/** The format of what Google signs. */
export const googleFormat = "google-gemini-v1"

/** Whether the fields of Google's API hold all of it. */
export const isGoogleFormat = (format: string): boolean => getReasoningFamily(format) === "google"

/** Undefined when Google itself signed nothing. */
export const writeThoughtSignature = (part: ForeignReasoning): string | undefined => {
  const { encrypted, format, signature } = part
  if (isGoogleFormat(format)) return signature ?? encrypted
  // Typed clients decode the field, so all of it is base64.
  return Base64.encode(foreignPrefix + writeForeignReasoning(part))
}

/** The signature of a call or a text. */
export const writeSignature = (signature: Signature | undefined): string | undefined =>
  signature === undefined
    ? undefined
    : writeThoughtSignature({ format: signature.format, signature: signature.value })

/** Decodes the provider and the content of a thought. */
export const parseThoughtSignature = (value: string): ForeignReasoning =>
  unwrap(value) ?? { format: googleFormat, signature: value }

/** The signature of a call or a text; undefined when the part is unsigned. */
export const parseSignature = (value: unknown): Signature | undefined => {
  if (typeof value !== "string" || value === "" || value === uncheckedSignature) return undefined
  const { format, signature } = parseThoughtSignature(value)
  return signature === undefined ? undefined : { format, value: signature }
}

/**
 * Google's models accept this signature for calls that another model made:
 * https://ai.google.dev/gemini-api/docs/thought-signatures.
 */
export const uncheckedSignature = "skip_thought_signature_validator"

/** The characters of the encoded prefix that do not depend on what follows. */
const encodedPrefix = Base64.encode(foreignPrefix).slice(0, 13)

/** Whether a provider other than Google signed it. */
export const isWrapped = (value: unknown): boolean =>
  typeof value === "string" && unwrap(value) !== undefined

/** Some clients write base64 in the alphabet of URLs. */
const unwrap = (value: string): ForeignReasoning | undefined => {
  if (!value.startsWith(encodedPrefix)) return undefined
  const decoded = Base64Url.decodeString(
    value.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
  )
  return Result.isSuccess(decoded)
    ? parseForeignReasoning(decoded.success.slice(foreignPrefix.length))
    : undefined
}
