/** Ids of calls in the alphabet of a dialect. */

/** What a dialect accepts as the id of a call. */
export interface IdRules {
  readonly maxLength: number
  /** Matches one character that is not accepted. */
  readonly refused: RegExp
  /** Whether ids have this length exactly. */
  readonly isExact?: true
  /** Matches ids that stay as they are. */
  readonly kept?: RegExp
}

export const messagesIds: IdRules = { maxLength: 256, refused: /[^a-zA-Z0-9_-]/g }
export const responsesIds: IdRules = { maxLength: 64, refused: /[^\s\S]/g }
/** OpenAI's chat API: https://github.com/vercel/ai/issues/5171. */
export const chatIds: IdRules = { maxLength: 40, refused: /[^\s\S]/g }
/** LiteLLM keeps the signatures of Gemini in its ids: https://github.com/BerriAI/litellm/issues/37849. */
export const litellmIds: IdRules = { ...chatIds, kept: /__thought__/ }
/** https://github.com/anomalyco/opencode/issues/1680. */
export const mistralIds: IdRules = { maxLength: 9, refused: /[^a-zA-Z0-9]/g, isExact: true }

/**
 * Returns the same id for the same input, because a call and its result are converted in different requests. An
 * accepted id is unchanged. Any other id ends in a hash of it, so that different ids stay different.
 */
export const toDialectId = (id: string, { isExact, kept, maxLength, refused }: IdRules): string => {
  if (kept?.test(id) === true) return id
  const accepted = id.replaceAll(refused, "_")
  if (isExact === true) {
    return accepted === id && id.length === maxLength
      ? id
      : hashText(id).padEnd(maxLength, "0").slice(0, maxLength)
  }
  if (accepted === id && id !== "" && id.length <= maxLength) return id
  const hash = hashText(id)
  return `${accepted.slice(0, maxLength - hash.length - 1)}_${hash}`
}

/** 53 bits, cyrb53 (public domain): no secret hangs on it. */
const hashText = (text: string): string => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36)
}
