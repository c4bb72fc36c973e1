/**
 * Google signs calls and texts. At its endpoint for OpenAI's dialect the signatures stand in `extra_content`
 * (https://ai.google.dev/gemini-api/docs/thought-signatures), elsewhere in `reasoning_details`.
 */
import { isObject, toList } from "../../values/json/guards.ts"

type Json = Readonly<Record<string, unknown>>

export const googleFormat = "google-gemini-v1"

/** Google's `extra_content` of a call, a message or a delta. */
const findGoogleContent = (json: Json): Json | undefined => {
  const extra = json["extra_content"]
  return isObject(extra) && isObject(extra["google"]) ? extra["google"] : undefined
}

/** The signature beside a call, a message or a delta; LiteLLM writes it elsewhere (https://docs.litellm.ai/blog/gemini_3). */
export const findSignature = (json: Json): string | undefined => {
  const { provider_specific_fields: fields } = json
  const signature =
    findGoogleContent(json)?.["thought_signature"] ??
    (isObject(fields) ? fields["thought_signature"] : undefined)
  return typeof signature === "string" && signature !== "" ? signature : undefined
}

/** The content of an answer without the thoughts that Google marks in it. */
export interface SplitThought {
  readonly content: string | null
  readonly reasoning: string | undefined
  /** Whether the thought goes on in the next delta, which may begin with its end. */
  readonly isOpen: boolean
}

/** Google's endpoint says that a content is a thought, and marks its beginning and its end with tags. */
export const isThought = (json: Json): boolean => {
  const google = findGoogleContent(json)
  const { content } = json
  return google?.["thought"] === true || (google !== undefined && isTagged(content))
}

const isTagged = (content: unknown): boolean =>
  typeof content === "string" && content.startsWith(openTag)

const openTag = "<thought>"
const closeTag = "</thought>"

/** `isOpen`: the thought began before this content. */
export const splitThought = (content: string, isOpen: boolean, isMarked: boolean): SplitThought => {
  const text = !isOpen && isTagged(content) ? content.slice(openTag.length) : content
  const end = text.indexOf(closeTag)
  if (end === -1) {
    return isMarked
      ? { content: null, reasoning: text, isOpen: true }
      : { content: text, reasoning: undefined, isOpen: false }
  }
  const said = text.slice(end + closeTag.length)
  return {
    content: said === "" ? null : said,
    reasoning: end === 0 ? undefined : text.slice(0, end),
    isOpen: false
  }
}

/** A detail that says whose call it signs; without an id the text. */
export const toDetail = (signature: string, index: number, callId?: string): Json => ({
  type: "reasoning.encrypted",
  data: signature,
  ...(callId === undefined ? undefined : { id: callId }),
  format: googleFormat,
  index
})

/**
 * Copies the signatures in `reasoning_details` to their calls, and the signature of the text to the message, where
 * Google's endpoint reads them.
 */
export const restoreSignatures = <M extends Json>(message: M): M => {
  const { content, reasoning_details: details, tool_calls: calls } = message
  if (details === undefined) return message
  const onCalls = new Map<unknown, unknown>()
  let onText: unknown
  for (const detail of toList(details)) {
    if (!isObject(detail) || !isSignature(detail)) continue
    const { data, id } = detail
    if (typeof id === "string") onCalls.set(id, data)
    else onText = data
  }
  const hasText = content !== undefined && content !== null && content !== ""
  const signed = onText !== undefined && hasText ? addSignature(message, onText) : message
  return onCalls.size === 0 || !Array.isArray(calls)
    ? signed
    : {
        ...signed,
        tool_calls: toList(calls).map((call) =>
          isObject(call) && onCalls.has(call["id"])
            ? addSignature(call, onCalls.get(call["id"]))
            : call
        )
      }
}

const addSignature = <J extends Json>(json: J, signature: unknown): J => {
  if (findSignature(json) !== undefined) return json
  const extra = json["extra_content"]
  return {
    ...json,
    extra_content: {
      ...(isObject(extra) ? extra : undefined),
      google: { ...findGoogleContent(json), thought_signature: signature }
    }
  }
}

const isSignature = ({ data, format, type }: Json): boolean =>
  type === "reasoning.encrypted" &&
  format === googleFormat &&
  typeof data === "string" &&
  data !== ""
