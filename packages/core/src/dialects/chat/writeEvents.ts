/** Writes the events of an answer as the deltas of OpenAI's chat dialect. */
import type { AnswerEvent, StreamedCall } from "../../conversation/Answer.ts"
import type { ReasoningPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined, setOwn } from "../../values/ownFields.ts"
import { writeAnnotation } from "./annotations.ts"
import { writeReasoningDetail } from "./reasoningDetails.ts"
import { addProviderPart } from "./writeAnswer.ts"
import { writePart } from "./writeContent.ts"

type Json = Readonly<Record<string, unknown>>

/** The fields of one delta while they are collected. */
interface Fields {
  content?: string
  refusal?: string
  reasoning?: string
  reasoning_details?: Array<Json>
  tool_calls?: Array<Json>
  images?: Array<Json>
  media?: Array<Json>
  annotations?: Array<Json>
  provider_parts?: Array<Json>
  /** Fields under other names than those above. */
  others?: Record<string, unknown>
}

/** Fields of a provider that speaks the dialect, for which events have no place. */
const addOthers = (raw: unknown, fields: Fields): void => {
  if (!isObject(raw)) return
  for (const [name, value] of Object.entries(raw)) setOwn((fields.others ??= {}), name, value)
}

/** Writes one choice; other choices have writers of their own. */
export class ChatDeltaWriter {
  #calls: Map<StreamedCall, number> | undefined
  /** The pieces of one detail share its index. */
  #details: Map<string, number> | undefined
  #detailCount = 0

  /** A delta has one field for each kind of event, so their order is lost. */
  write(events: ReadonlyArray<AnswerEvent>): Json {
    const fields: Fields = {}
    for (const event of events) this.#add(event, fields)
    const { others, ...said } = fields
    return { ...others, ...said }
  }

  #add(event: AnswerEvent, fields: Fields): void {
    switch (event.type) {
      case "text":
        fields.content = (fields.content ?? "") + event.text
        return
      case "refusal":
        fields.refusal = (fields.refusal ?? "") + event.refusal
        return
      case "thought": {
        const { format, id, isSummary, signature, text } = event
        if (text !== "") fields.reasoning = (fields.reasoning ?? "") + text
        // Such a thought is not replayed to a provider, so `reasoning` alone suffices.
        if (format === "unknown" && id === undefined && signature === undefined) return
        const said = omitUndefined({ text: text === "" ? undefined : text, signature, id })
        this.#addDetail({ ...said, format, ...(isSummary ? { isSummary } : {}) }, event.key, fields)
        return
      }
      case "encrypted": {
        const { encrypted, format, id, key } = event
        this.#addDetail({ encrypted, format, ...omitUndefined({ id }) }, `${key} encrypted`, fields)
        return
      }
      case "signature": {
        const { callId: id, signature } = event
        const { format, value: encrypted } = signature
        this.#addDetail({ encrypted, format, ...omitUndefined({ id }) }, undefined, fields)
        return
      }
      case "call":
        ;(fields.tool_calls ??= []).push(this.#writeCall(event.call, event.text))
        return
      case "media":
        if (event.media.type === "image") (fields.images ??= []).push(...writePart(event.media))
        else (fields.media ??= []).push(...writePart(event.media))
        return
      case "citation":
        ;(fields.annotations ??= []).push(writeAnnotation(event.citation))
        return
      case "opaque":
        if (event.text !== undefined) fields.content = (fields.content ?? "") + event.text
        else if (event.dialect === "chat") addOthers(event.raw, fields)
        else addProviderPart(event, fields)
        return
    }
  }

  #addDetail(detail: Omit<ReasoningPart, "type">, key: string | undefined, fields: Fields): void {
    const known = key === undefined ? undefined : this.#details?.get(key)
    const index = known ?? this.#detailCount++
    if (known === undefined && key !== undefined)
      (this.#details ??= new Map<string, number>()).set(key, index)
    ;(fields.reasoning_details ??= []).push(
      writeReasoningDetail({ type: "reasoning", ...detail }, index)
    )
  }

  #writeCall(call: StreamedCall, text: string): Json {
    const calls = (this.#calls ??= new Map<StreamedCall, number>())
    const known = calls.get(call)
    const { id, isCustom, name, namespace } = call
    if (known !== undefined) {
      return {
        index: known,
        ...(isCustom ? { custom: { input: text } } : { function: { arguments: text } })
      }
    }
    const index = calls.size
    calls.set(call, index)
    return {
      index,
      id,
      ...(isCustom
        ? { type: "custom", custom: { name, input: text } }
        : { type: "function", function: { name, arguments: text } }),
      ...omitUndefined({ namespace })
    }
  }
}
