/** Reads a delta of OpenAI's dialect except its calls. */
import type {
  AnswerEvent,
  EncryptedEvent,
  SignatureEvent,
  ThoughtEvent
} from "../../conversation/Answer.ts"
import { parseAnnotations } from "./annotations.ts"
import { findOtherFields, findTranscript } from "./otherFields.ts"
import { parseContent, parseImages } from "./parseContent.ts"
import { isSigningFormat } from "../reasoningFamily.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { parseDetail } from "./reasoningDetails.ts"
import { findReasoningText } from "./reasoningText.ts"

type Json = Readonly<Record<string, unknown>>

/** The key of thoughts that come as a text alone. */
const plainKey = "plain"

/** Reads one choice. */
export class SaidReader {
  /** Some providers stream `reasoning` alone and repeat all of it in the details at the end, for its signature. */
  #isPlain = false

  /** Thoughts come before the text. Empty texts make no events. */
  read(delta: Json): ReadonlyArray<AnswerEvent> {
    const { annotations, content, images, media, reasoning_details, refusal } = delta
    const events: Array<AnswerEvent> = []
    this.#readReasoning(reasoning_details, findReasoningText(delta), events)
    const text = isNonEmptyText(content) ? content : findTranscript(delta["audio"])
    if (isNonEmptyText(text)) events.push({ type: "text", text })
    if (isNonEmptyText(refusal)) events.push({ type: "refusal", refusal })
    for (const image of parseImages(images)) events.push({ type: "media", media: image })
    for (const part of parseContent(media)) {
      if ("source" in part) events.push({ type: "media", media: part })
    }
    for (const citation of parseAnnotations(annotations)) {
      events.push({ type: "citation", citation })
    }
    const others = findOtherFields(delta)
    if (others !== undefined) events.push({ type: "opaque", dialect: "chat", raw: others })
    events.push(...toList(reasoning_details).flatMap(readSignature))
    return events
  }

  /** The details repeat the reasoning, unless they are only encrypted. */
  #readReasoning(details: unknown, text: string | undefined, events: Array<AnswerEvent>): void {
    const read = toList(details).flatMap(readDetail)
    const isTold = read.some((event) => event.type === "thought" && event.text !== "")
    if (text !== undefined && !isTold) {
      this.#isPlain = true
      events.push({
        type: "thought",
        key: plainKey,
        format: "unknown",
        text,
        isSummary: false
      })
    }
    for (const event of read) {
      if (!this.#isPlain || event.type === "encrypted" || text !== undefined) events.push(event)
      // Its text has been sent already; only the signature is new.
      else if (event.signature !== undefined) events.push({ ...event, key: plainKey, text: "" })
    }
  }
}

const isNonEmptyText = (value: unknown): value is string =>
  typeof value === "string" && value !== ""

/** The pieces of one detail have its index. */
const readDetail = (detail: unknown): ReadonlyArray<EncryptedEvent | ThoughtEvent> => {
  if (!isObject(detail)) return []
  const { index } = detail
  return parseDetail(detail).flatMap((part): ReadonlyArray<EncryptedEvent | ThoughtEvent> => {
    const { encrypted = "", format, isSummary = false, signature = "", text = "" } = part
    const id = part.id === "" ? undefined : part.id
    const common = {
      key: typeof index === "number" ? `index ${index}` : `id ${id ?? ""}`,
      format,
      ...(id === undefined ? undefined : { id })
    }
    if (encrypted !== "") {
      return isSigningFormat(format) ? [] : [{ type: "encrypted", ...common, encrypted }]
    }
    if (text === "" && signature === "") return []
    const signed = signature === "" ? undefined : { signature }
    return [{ type: "thought", ...common, text, isSummary, ...signed }]
  })
}

/** Google and providers of the AI SDK sign calls and texts. The id names the signed call. */
const readSignature = (detail: unknown): ReadonlyArray<SignatureEvent> =>
  (isObject(detail) ? parseDetail(detail) : []).flatMap(({ encrypted = "", format, id = "" }) =>
    encrypted === "" || !isSigningFormat(format)
      ? []
      : [
          {
            type: "signature",
            signature: { format, value: encrypted },
            ...(id === "" ? undefined : { callId: id })
          }
        ]
  )
