/** Reads the events of a streamed answer of OpenAI's Responses API. */
import type { AnswerEvent, StreamedCall } from "../../conversation/Answer.ts"
import { parseAnnotations } from "../chat/annotations.ts"
import type {
  ChatCall,
  ChatDelta,
  ChatEvent,
  ChatMetadata,
  ChatServingInfo
} from "../../engine/upstreams/ChatCapability.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { isShortText, parseServingInfo, toInvalidAnswer } from "../chat/readAnswer.ts"
import type { EventReader } from "../../engine/upstreams/transport/EventDecoder.ts"
import { addCalls, findItemCalls } from "../../conversation/serverTools/readsByItself.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { makeToolFinder } from "../CalledTool.ts"
import { readCallFields } from "../chat/callFields.ts"
import { findNonEmptyText, type Json } from "./fields.ts"
import { parseImageItem } from "./imageItem.ts"
import { listContent, parseEnd, type ResponsesAnswerOptions, toToolName } from "./readAnswer.ts"
import { openaiFormat } from "./parseReasoningItem.ts"
import { toAnswerFailure } from "./responsesFailures.ts"
import { parseResponsesUsage } from "./responsesUsage.ts"
import { ThoughtReader, toItemKey } from "./ThoughtReader.ts"

export interface ResponsesEventReaderOptions extends ResponsesAnswerOptions {
  readonly onReport?: ChatCall["onReport"]
  readonly onUsage?: ChatCall["onUsage"]
}

/** The state of an item of the output. */
interface ItemState {
  /** Whether its text, refusal, reasoning or arguments came in deltas; then whole texts only repeat them. */
  hasDeltas: boolean
  /** The call of a call item. */
  readonly call?: StreamedCall
}

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
  const { onReport, onUsage, parseCost, reasoningFormat = openaiFormat, tools = [] } = options
  const findTool = makeToolFinder(tools)
  const items = new Map<number | string, ItemState>()
  const thoughts = new ThoughtReader(reasoningFormat)
  let metadata: ChatMetadata = {}
  let servingInfo: ChatServingInfo = {}
  /** Servers may give several calls the same index: another id is another call. */
  const callIds = new Set<string>()
  let isDone = false

  const emit = (
    events: ReadonlyArray<AnswerEvent>,
    rest?: Pick<ChatDelta, "end" | "logprobs">
  ): ChatEvent => ({
    type: "delta",
    choices: [{ index: 0, events, ...rest }],
    ...servingInfo
  })

  const readResponse = (response: Json): void => {
    const { id, model } = response
    if (metadata.id === undefined && isShortText(id)) metadata = { ...metadata, id }
    if (metadata.model === undefined && findNonEmptyText(model) !== undefined) {
      metadata = { ...metadata, model: String(model) }
    }
    servingInfo = { ...servingInfo, ...parseServingInfo(response) }
    tell()
  }
  const tell = (): void => onReport?.({ ...metadata, ...servingInfo })

  const countCall = (item: unknown): void => {
    const serverCalls = addCalls(metadata.serverCalls, findItemCalls(item))
    if (serverCalls === undefined || serverCalls === metadata.serverCalls) return
    metadata = { ...metadata, serverCalls }
    tell()
  }

  const startCall = (key: number | string, item: Json): ChatEvent | undefined => {
    const written = findNonEmptyText(item["name"])
    const id = findCallId(item)
    if (written === undefined || id === undefined || callIds.has(id)) return undefined
    callIds.add(id)
    const isCustom = item["type"] === "custom_tool_call"
    const { name, namespace } = toToolName(item, findTool(written))
    const call = { id, name, namespace, isCustom }
    items.set(key, { hasDeltas: false, call })
    return emit([{ type: "call", call, text: "" }])
  }

  const emitArguments = (state: ItemState | undefined, text: unknown): ChatEvent | undefined => {
    if (state?.call === undefined || typeof text !== "string" || text === "") return undefined
    state.hasDeltas = true
    return emit([{ type: "call", call: state.call, text }])
  }

  const hasDeltas = (event: Json): boolean => items.get(toItemKey(event))?.hasDeltas === true

  /** The piece of one event, which its item has in deltas from now on. */
  const emitPiece = (
    event: Json,
    toEvent: (text: string) => AnswerEvent
  ): ChatEvent | undefined => {
    const text = findNonEmptyText(event["delta"])
    const logprobs = toList(event["logprobs"])
    if (text === undefined && logprobs.length === 0) return undefined
    const key = toItemKey(event)
    const state = items.get(key)
    if (state === undefined) items.set(key, { hasDeltas: true })
    else state.hasDeltas = true
    return emit(
      text === undefined ? [] : [toEvent(text)],
      logprobs.length === 0 ? undefined : { logprobs: { content: logprobs, refusal: null } }
    )
  }

  const addItem = (event: Json): ReadonlyArray<ChatEvent> => {
    const item = event["item"]
    const key = toItemKey(event)
    if (!isObject(item) || !isCallItem(item)) return []
    const start = startCall(key, item)
    if (start === undefined) return []
    const whole = emitArguments(items.get(key), getArguments(item))
    return whole === undefined ? [start] : [start, whole]
  }

  /** Returns the content that no delta contained. */
  const finishItem = (event: Json): ReadonlyArray<ChatEvent> => {
    const { item } = event
    if (!isObject(item)) return []
    const key = toItemKey(event)
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
    if (item["type"] === "image_generation_call") {
      const media = parseImageItem(item)
      return media === undefined || !isNew ? [] : [emit([{ type: "media", media }])]
    }
    if (item["type"] === "reasoning")
      return thoughts
        .readItem({ ...event, item_id: item["id"] }, item, isNew)
        .map((said) => emit([said]))
    return item["type"] === "message" && isNew ? sayWhole(item) : []
  }

  const sayWhole = (item: Json): ReadonlyArray<ChatEvent> =>
    listContent(item).flatMap((part): ReadonlyArray<ChatEvent> => {
      if (!isObject(part)) return []
      const text = findNonEmptyText(part["text"])
      const refusal = findNonEmptyText(part["refusal"])
      const events: ReadonlyArray<AnswerEvent> = [
        ...(text === undefined ? [] : [{ type: "text", text } as const]),
        ...(refusal === undefined ? [] : [{ type: "refusal", refusal } as const]),
        ...toCitations(part["annotations"])
      ]
      const logprobs = toList(part["logprobs"])
      if (events.length === 0) return []
      return [
        emit(
          events,
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
    // The response may have content that the events left out, such as all items.
    const late = toList(response["output"]).flatMap((item, output_index) =>
      isSaid(output_index, item) ? [] : finishItem({ output_index, item })
    )
    const end = parseEnd(isIncomplete ? { ...response, status: "incomplete" } : response)
    const isCalling = end.reason === "stop" && callIds.size > 0
    return [
      ...late,
      emit([], { end: { ...end, reason: isCalling ? "tool_calls" : end.reason } }),
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
        countCall(event["item"])
        return addItem(event)
      case "response.output_item.done":
        return finishItem(event)
      case "response.output_text.delta":
        return emitPiece(event, toText)
      case "response.refusal.delta":
        return emitPiece(event, toRefusal)
      case "response.reasoning_summary_text.delta":
        return emitPiece(event, (text) => thoughts.readSummary(event, text))
      case "response.reasoning_text.delta":
        return emitPiece(event, (text) => thoughts.readText(event, text))
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        return emitArguments(items.get(toItemKey(event)), event["delta"])
      case "response.function_call_arguments.done":
      case "response.custom_tool_call_input.done":
        return hasDeltas(event)
          ? undefined
          : emitArguments(items.get(toItemKey(event)), event["arguments"] ?? event["input"])
      case "response.output_text.done":
        return hasDeltas(event) ? undefined : emitPiece({ ...event, delta: event["text"] }, toText)
      case "response.refusal.done":
        return hasDeltas(event)
          ? undefined
          : emitPiece({ ...event, delta: event["refusal"] }, toRefusal)
      case "response.output_text.annotation.added": {
        const cited = toCitations([event["annotation"]])
        return cited.length === 0 ? undefined : emit(cited)
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
      Math.max(items.size, thoughts.size, callIds.size) > maxItems
        ? toInvalidAnswer(`the answer has more than ${maxItems} items`, metadata.usage)
        : read(event),
    // Without a terminal event, the answer broke off.
    done: () => undefined,
    isDone: () => isDone
  }
}

const none: Json = {}

const toText = (text: string): AnswerEvent => ({ type: "text", text })

const toRefusal = (refusal: string): AnswerEvent => ({ type: "refusal", refusal })

const toCitations = (annotations: unknown): ReadonlyArray<AnswerEvent> =>
  parseAnnotations(annotations).map((citation) => ({ type: "citation", citation }))

const isCallItem = ({ type }: Json): boolean =>
  type === "function_call" || type === "custom_tool_call"

const findCallId = (item: Json): string | undefined =>
  findNonEmptyText(item["call_id"]) ?? findNonEmptyText(item["id"])

const getArguments = (item: Json): string =>
  item["type"] === "custom_tool_call"
    ? (findNonEmptyText(item["input"]) ?? "")
    : readCallFields(item).text
