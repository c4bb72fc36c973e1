/** Reads the events of a streamed answer of OpenAI's Responses API. */
import type {
  ChatCall,
  ChatDelta,
  ChatEvent,
  ChatMetadata,
  ChatServingInfo
} from "../../upstreams/ChatCapability.ts"
import type { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import {
  isShortText,
  parseServingInfo,
  toInvalidAnswer
} from "../../upstreams/openaiChat/parseChatReply.ts"
import type { EventReader } from "../../upstreams/transport/EventDecoder.ts"
import { isObject } from "../../values/json/isObject.ts"
import { makeToolFinder } from "../CalledTool.ts"
import { isEmpty } from "../readField.ts"
import { toChatAnnotations } from "./annotations.ts"
import { findIndex, findNonEmptyText, type Json, toList } from "./fields.ts"
import { parseEnd, type ResponsesAnswerOptions, toToolName } from "./parseResponsesAnswer.ts"
import { openaiFormat } from "./reasoningFormat.ts"
import { toAnswerFailure } from "./responsesFailures.ts"
import { parseResponsesUsage } from "./responsesUsage.ts"

export interface ResponsesEventReaderOptions extends ResponsesAnswerOptions {
  readonly onUsage?: ChatCall["onUsage"]
}

/** What has been read of an item of the output. */
interface ItemState {
  /** Whether its text, refusal, reasoning or arguments came in deltas; then whole texts only repeat them. */
  hasDeltas: boolean
  /** Of a call: its id, and its place among the calls. */
  readonly call?: { readonly id: string; readonly index: number; readonly isCustom: boolean }
}

type Delta = Readonly<Record<string, unknown>>
type Read = ReturnType<EventReader<ChatEvent>["read"]>

/** More than any provider returns; bounded because state is kept for each. */
const maxItems = 1_024

/**
 * `response.completed` and `response.incomplete` end a stream, with or without `[DONE]`; a stream without them broke off.
 * Deltas count: whole texts are used only where no deltas came.
 */
export const makeResponsesEventReader = (
  options: ResponsesEventReaderOptions = {}
): EventReader<ChatEvent> => {
  const { onUsage, parseCost, reasoningFormat = openaiFormat, tools = [] } = options
  const findTool = makeToolFinder(tools)
  const items = new Map<number | string, ItemState>()
  /** Pieces of one summary share an index among the details of the answer. */
  const details = new Map<string, number>()
  let metadata: ChatMetadata = {}
  let servingInfo: ChatServingInfo = {}
  /** Servers may give several calls the same index: another id is another call. */
  const callIds = new Set<string>()
  let isDone = false

  const emit = (delta: Delta, rest?: Partial<ChatDelta>): ChatEvent => ({
    type: "delta",
    choices: [{ index: 0, delta, finishReason: null, ...rest }],
    ...servingInfo
  })

  const readResponse = (response: Json): void => {
    const { id, model } = response
    if (metadata.id === undefined && isShortText(id)) metadata = { ...metadata, id }
    if (metadata.model === undefined && findNonEmptyText(model) !== undefined) {
      metadata = { ...metadata, model: String(model) }
    }
    servingInfo = { ...servingInfo, ...parseServingInfo(response) }
  }

  const toDetail = (event: Json, key: string, fields: Delta): Delta => {
    const place = `${toKey(event)} ${key}`
    const index = details.get(place) ?? details.size
    details.set(place, index)
    const id = findNonEmptyText(event["item_id"])
    return { ...fields, ...(id === undefined ? undefined : { id }), format: reasoningFormat, index }
  }

  const startCall = (key: number | string, item: Json): ChatEvent | undefined => {
    const written = findNonEmptyText(item["name"])
    const id = findCallId(item)
    if (written === undefined || id === undefined || callIds.has(id)) return undefined
    const index = callIds.size
    callIds.add(id)
    const isCustom = item["type"] === "custom_tool_call"
    items.set(key, { hasDeltas: false, call: { id, index, isCustom } })
    const { name, namespace } = toToolName(item, findTool(written))
    return emitCall({
      index,
      id,
      ...(isCustom
        ? { type: "custom", custom: { name, input: "" } }
        : { type: "function", function: { name, arguments: "" } }),
      ...(namespace === undefined ? undefined : { namespace })
    })
  }

  const emitCall = (call: Delta): ChatEvent => emit({ tool_calls: [call] })

  const emitArguments = (state: ItemState | undefined, text: unknown): ChatEvent | undefined => {
    if (state?.call === undefined || typeof text !== "string" || text === "") return undefined
    state.hasDeltas = true
    const { index, isCustom } = state.call
    return emitCall({
      index,
      ...(isCustom ? { custom: { input: text } } : { function: { arguments: text } })
    })
  }

  const hasDeltas = (event: Json): boolean => items.get(toKey(event))?.hasDeltas === true

  /** The piece of one event, which its item has in deltas from now on. */
  const emitPiece = (event: Json, toDelta: (text: string) => Delta): ChatEvent | undefined => {
    const text = findNonEmptyText(event["delta"])
    const logprobs = toList(event["logprobs"])
    if (text === undefined && logprobs.length === 0) return undefined
    const key = toKey(event)
    const state = items.get(key)
    if (state === undefined) items.set(key, { hasDeltas: true })
    else state.hasDeltas = true
    return emit(
      text === undefined ? {} : toDelta(text),
      logprobs.length === 0 ? undefined : { logprobs: { content: logprobs, refusal: null } }
    )
  }

  const toSummary = (event: Json, text: string): Delta => ({
    reasoning: text,
    reasoning_details: [
      toDetail(event, `summary ${findIndex(event["summary_index"]) ?? 0}`, {
        type: "reasoning.summary",
        summary: text
      })
    ]
  })

  const toThought = (event: Json, text: string): Delta => ({
    reasoning: text,
    reasoning_details: [
      toDetail(event, `text ${findIndex(event["content_index"]) ?? 0}`, {
        type: "reasoning.text",
        text
      })
    ]
  })

  const addItem = (event: Json): ReadonlyArray<ChatEvent> => {
    const item = event["item"]
    const key = toKey(event)
    if (!isObject(item) || !isCallItem(item)) return []
    const start = startCall(key, item)
    if (start === undefined) return []
    const whole = emitArguments(items.get(key), getArguments(item))
    return whole === undefined ? [start] : [start, whole]
  }

  /** What no delta has said. */
  const finishItem = (event: Json): ReadonlyArray<ChatEvent> => {
    const { item } = event
    if (!isObject(item)) return []
    const key = toKey(event)
    const state = items.get(key)
    if (isCallItem(item)) {
      const started = addItem(event)
      const call = items.get(key)
      if (call?.hasDeltas !== false || call.call?.id !== findCallId(item)) return started
      const rest = emitArguments(
        call,
        getArguments(item) || (call.call?.isCustom === true ? "" : "{}")
      )
      return rest === undefined ? started : [...started, rest]
    }
    const isNew = state?.hasDeltas !== true
    items.set(key, { hasDeltas: true })
    if (item["type"] === "reasoning")
      return finishReasoning({ ...event, item_id: item["id"] }, item, isNew)
    return item["type"] === "message" && isNew ? sayWhole(item) : []
  }

  const finishReasoning = (event: Json, item: Json, isNew: boolean): ReadonlyArray<ChatEvent> => {
    const texts = (name: string) =>
      toList(item[name]).map((part) =>
        isObject(part) ? findNonEmptyText(part["text"]) : undefined
      )
    const whole = isNew
      ? [
          ...texts("summary").map((text, at) =>
            text === undefined ? undefined : toSummary({ ...event, summary_index: at }, text)
          ),
          ...texts("content").map((text, at) =>
            text === undefined ? undefined : toThought({ ...event, content_index: at }, text)
          )
        ]
      : []
    const data = findNonEmptyText(item["encrypted_content"])
    const encrypted =
      data === undefined
        ? undefined
        : {
            reasoning_details: [toDetail(event, "encrypted", { type: "reasoning.encrypted", data })]
          }
    return [...whole, encrypted].flatMap((delta) => (delta === undefined ? [] : [emit(delta)]))
  }

  const sayWhole = (item: Json): ReadonlyArray<ChatEvent> =>
    toList(item["content"]).flatMap((part): ReadonlyArray<ChatEvent> => {
      if (!isObject(part)) return []
      const text = findNonEmptyText(part["text"])
      const refusal = findNonEmptyText(part["refusal"])
      const annotations = toChatAnnotations(part["annotations"])
      const delta = {
        ...(text === undefined ? undefined : { content: text }),
        ...(refusal === undefined ? undefined : { refusal }),
        ...(annotations.length === 0 ? undefined : { annotations })
      }
      const logprobs = toList(part["logprobs"])
      if (isEmpty(delta)) return []
      return [
        emit(
          delta,
          logprobs.length === 0 ? undefined : { logprobs: { content: logprobs, refusal: null } }
        )
      ]
    })

  const isSaid = (output_index: number, item: unknown): boolean => {
    if (!isObject(item)) return items.has(output_index)
    const callId = isCallItem(item) ? findCallId(item) : undefined
    if (callId !== undefined && callIds.has(callId)) return true
    const state = items.get(output_index) ?? items.get(String(item["id"]))
    return callId === undefined ? state !== undefined : state?.call !== undefined
  }

  const finish = (response: Json, isIncomplete: boolean): Read => {
    isDone = true
    readResponse(response)
    const report = parseResponsesUsage(response, parseCost)
    metadata = { ...metadata, ...report }
    if (report.usage !== undefined) onUsage?.(report.usage)
    // What the events left out, such as all items, the response may have.
    const late = toList(response["output"]).flatMap((item, output_index) =>
      isSaid(output_index, item) ? [] : finishItem({ output_index, item })
    )
    const { nativeReason, reason } = parseEnd(
      isIncomplete ? { ...response, status: "incomplete" } : response
    )
    const finishReason = reason === "stop" && callIds.size > 0 ? "tool_calls" : reason
    return [
      ...late,
      emit(
        {},
        {
          finishReason,
          ...(nativeReason === undefined ? undefined : { nativeFinishReason: nativeReason })
        }
      ),
      { type: "end", ...metadata, ...servingInfo }
    ]
  }

  const fail = (error: unknown, response: Json = {}): UpstreamFailure =>
    toAnswerFailure(error, parseResponsesUsage(response, parseCost).usage ?? metadata.usage)

  const read = (event: Json): Read => {
    const { type } = event
    const response = isObject(event["response"]) ? event["response"] : none
    switch (type) {
      case "response.created":
      case "response.in_progress":
      case "response.queued":
        readResponse(response)
        return undefined
      case "response.output_item.added":
        return addItem(event)
      case "response.output_item.done":
        return finishItem(event)
      case "response.output_text.delta":
        return emitPiece(event, (content) => ({ content }))
      case "response.refusal.delta":
        return emitPiece(event, (refusal) => ({ refusal }))
      case "response.reasoning_summary_text.delta":
        return emitPiece(event, (text) => toSummary(event, text))
      case "response.reasoning_text.delta":
        return emitPiece(event, (text) => toThought(event, text))
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        return emitArguments(items.get(toKey(event)), event["delta"])
      case "response.function_call_arguments.done":
      case "response.custom_tool_call_input.done":
        return hasDeltas(event)
          ? undefined
          : emitArguments(items.get(toKey(event)), event["arguments"] ?? event["input"])
      case "response.output_text.done":
        return hasDeltas(event)
          ? undefined
          : emitPiece({ ...event, delta: event["text"] }, (content) => ({ content }))
      case "response.refusal.done":
        return hasDeltas(event)
          ? undefined
          : emitPiece({ ...event, delta: event["refusal"] }, (refusal) => ({ refusal }))
      case "response.output_text.annotation.added": {
        const annotations = toChatAnnotations([event["annotation"]])
        return annotations.length === 0 ? undefined : emit({ annotations })
      }
      case "response.completed":
      case "response.incomplete":
        if (!isObject(event["response"])) {
          return toInvalidAnswer("the last event has no response", metadata.usage)
        }
        return response["status"] === "failed"
          ? fail(response["error"], response)
          : finish(response, type === "response.incomplete")
      case "response.failed":
      case "response.cancelled":
        return fail(response["error"], response)
      case "error":
        return fail(isObject(event["error"]) ? event["error"] : event)
      default:
        return event["error"] === undefined || event["error"] === null
          ? undefined
          : fail(event["error"])
    }
  }

  return {
    read: (event) =>
      Math.max(items.size, details.size, callIds.size) > maxItems
        ? toInvalidAnswer(`the answer has more than ${maxItems} items`, metadata.usage)
        : read(event),
    // Without a terminal event, the answer broke off.
    done: () => undefined,
    isDone: () => isDone
  }
}

const none: Json = {}

const toKey = ({ item_id, output_index }: Json): number | string =>
  findIndex(output_index) ?? findNonEmptyText(item_id) ?? 0

const isCallItem = ({ type }: Json): boolean =>
  type === "function_call" || type === "custom_tool_call"

const findCallId = (item: Json): string | undefined =>
  findNonEmptyText(item["call_id"]) ?? findNonEmptyText(item["id"])

const getArguments = (item: Json): string => {
  const given = item[item["type"] === "custom_tool_call" ? "input" : "arguments"]
  return typeof given === "string" ? given : ""
}
