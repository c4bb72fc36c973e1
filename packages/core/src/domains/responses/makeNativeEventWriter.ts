/** Writes the answer of a provider with the Responses API: its items and events as they are, the rest by the router. */
import type { NamedEvent } from "../../dialects/NamedEvent.ts"
import { findIndex, type Json } from "../../dialects/responses/fields.ts"
import {
  type ResponseFacts,
  type ResponseState,
  writeResponseObject
} from "../../dialects/responses/responseObject.ts"
import { emitFailure, type ResponsesEventWriter } from "../../dialects/responses/writeEvents.ts"
import { flatMapFew } from "../../values/flatMapFew.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { writeNativeResponse } from "./writeResponse.ts"

/** The router writes the events with the state of the response; the provider's own tell how it ends. */
export const makeNativeEventWriter = (facts: ResponseFacts): ResponsesEventWriter => {
  const items = new NativeItems()
  let sequence = 0
  let isStarted = false
  let isOver = false
  let last: Json = {}

  const toEvent = (type: string, fields: Json): NamedEvent => ({
    ...fields,
    type,
    sequence_number: sequence++
  })
  const begin = (): ReadonlyArray<NamedEvent> => {
    if (isStarted) return []
    isStarted = true
    const response = writeResponseObject(facts, { status: "in_progress", output: [] })
    return [
      toEvent("response.created", { response }),
      toEvent("response.in_progress", { response })
    ]
  }
  const finish = (response: Json): ReadonlyArray<NamedEvent> => {
    isOver = true
    const events: Array<NamedEvent> = []
    emitFailure(response, (type, fields) => events.push(toEvent(type, fields)))
    events.push(toEvent(`response.${String(response["status"])}`, { response }))
    return events
  }
  const pass = (event: Json): ReadonlyArray<NamedEvent> => {
    const { response, type } = event
    if (typeof type !== "string") return []
    if (isObject(response)) last = response
    if (routersEvents.has(type)) return []
    items.add(type, event)
    return [toEvent(type, event)]
  }

  return {
    start: () => (isOver ? [] : begin()),
    write: ({ native = [] }) => {
      if (isOver) return []
      return isStarted ? flatMapFew(native, pass) : [...begin(), ...native.flatMap(pass)]
    },
    end: (end) => {
      if (isOver) return []
      const begun = begin()
      const output = toList(last["output"])
      const said = output.length > 0 ? last : { ...last, output: items.toJson() }
      return [...begun, ...finish(writeNativeResponse(said, facts, end))]
    },
    fail: (error, end) => {
      if (isOver) return []
      const begun = begin()
      const state: ResponseState = { status: "failed", error, output: items.toJson(), ...end }
      return [...begun, ...finish(writeResponseObject(facts, state))]
    }
  }
}

const routersEvents: ReadonlySet<string> = new Set([
  "error",
  "response.cancelled",
  "response.completed",
  "response.created",
  "response.failed",
  "response.in_progress",
  "response.incomplete",
  "response.queued"
])

interface NativeItem {
  json: Json
  isDone: boolean
  /** The pieces of each text that grows, by its place in the item. */
  readonly texts: Map<string, GrowingText>
  /** The text that has grown last: most events continue it. */
  latest: GrowingText | undefined
}

interface GrowingText extends TextPlace {
  /** The type of its events. */
  readonly type: string
  /** Its part or summary; undefined for arguments. */
  readonly index: unknown
  readonly pieces: Array<unknown>
}

interface TextPlace {
  readonly list: "content" | "summary" | undefined
  readonly field: string
  /** The part that the text belongs to; empty for arguments. */
  readonly part: Json
}

/** The items of a provider with the Responses API while they are streamed, so that an answer that breaks off has them. */
class NativeItems {
  /** A provider may give an item any index. */
  readonly #items = new Map<number, NativeItem>()

  add(type: string, event: Json): void {
    const index = findIndex(event["output_index"])
    if (index === undefined) return
    const { item } = event
    if (type.startsWith("response.output_item.") && isObject(item)) {
      const isDone = type === "response.output_item.done"
      this.#items.set(index, { json: item, isDone, texts: new Map(), latest: undefined })
      return
    }
    const grows = growingTexts.get(type)
    const open = this.#items.get(index)
    if (grows === undefined || open === undefined) return
    const partIndex = event["content_index"] ?? event["summary_index"]
    const { latest } = open
    if (latest?.type !== type || latest.index !== partIndex) {
      const place = `${type} ${String(partIndex)}`
      open.latest = open.texts.get(place) ?? { ...grows, type, index: partIndex, pieces: [] }
      open.texts.set(place, open.latest)
    }
    open.latest?.pieces.push(event["delta"])
  }

  /** The items as far as they have arrived. */
  toJson(): ReadonlyArray<Json> {
    return Array.from(this.#items)
      .toSorted(([one], [other]) => one - other)
      .map(([, item]) => (item.isDone ? item.json : toUnfinished(item)))
  }
}

const toUnfinished = ({ json, texts }: NativeItem): Json => {
  const lists = {
    content: [...toList(json["content"])],
    summary: [...toList(json["summary"])]
  }
  const fields: Record<string, unknown> = {}
  for (const { field, list, part, pieces } of texts.values()) {
    const text = pieces.join("")
    if (list === undefined) fields[field] = text
    else {
      lists[list].push({ ...part, [field]: text })
      fields[list] = lists[list]
    }
  }
  return { ...json, ...fields, status: "incomplete" }
}

const growingTexts: ReadonlyMap<string, TextPlace> = new Map<string, TextPlace>(
  Object.entries({
    "response.output_text.delta": {
      list: "content",
      field: "text",
      part: { type: "output_text", annotations: [], logprobs: [] }
    },
    "response.refusal.delta": { list: "content", field: "refusal", part: { type: "refusal" } },
    "response.reasoning_summary_text.delta": {
      list: "summary",
      field: "text",
      part: { type: "summary_text" }
    },
    "response.reasoning_text.delta": {
      list: "content",
      field: "text",
      part: { type: "reasoning_text" }
    },
    "response.function_call_arguments.delta": { list: undefined, field: "arguments", part: {} },
    "response.custom_tool_call_input.delta": { list: undefined, field: "input", part: {} }
  } satisfies Record<string, TextPlace>)
)
