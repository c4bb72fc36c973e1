/** Reads the untrusted events of a streamed answer of Anthropic's API. */
import type { AnswerEnd, AnswerEvent, StreamedCall } from "../../conversation/Answer.ts"
import type { ChatCall, ChatEvent, ChatMetadata } from "../../engine/upstreams/ChatCapability.ts"
import { isShortText, toInvalidAnswer } from "../chat/readAnswer.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { EventReader } from "../../engine/upstreams/transport/EventDecoder.ts"
import { addCalls, findBlockCalls } from "../../conversation/serverTools/readsByItself.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { ServerCalls } from "../../values/usage/ModelUsage.ts"
import { getFreeText, makeToolFinder } from "../CalledTool.ts"
import { parseCitations } from "./citations.ts"
import { findMessagesFailure } from "./findMessagesFailure.ts"
import { makeCallIds, type MessagesReadOptions, writeInput } from "./readAnswer.ts"
import { addMessagesUsage, parseMessagesUsage, parseServiceTier } from "./parseMessagesUsage.ts"
import { findText, isEmpty } from "../UntranslatableRequest.ts"
import { parseStopReason } from "./stopReasons.ts"
import { anthropicFormat, unwrapReasoning } from "./thinkingBlocks.ts"

type Json = Readonly<Record<string, unknown>>

export interface MessagesStreamOptions extends MessagesReadOptions {
  readonly onReport?: ChatCall["onReport"]
  readonly onUsage?: ChatCall["onUsage"]
}

/** A call whose block is open. */
interface OpenCall {
  readonly call: StreamedCall
  /** The input at the start of the block; older answers have all of it there. */
  readonly input: unknown
  /** The input of a tool of free text, which is read as a whole. */
  readonly texts: Array<string> | undefined
  hasDeltas: boolean
}

/** Only `message_stop` completes a stream. What other events say besides text, reasoning and calls is left out. */
export const makeMessagesEventReader = ({
  onReport,
  onUsage,
  parseCost,
  tools = []
}: MessagesStreamOptions = {}): EventReader<ChatEvent> => {
  const findTool = makeToolFinder(tools)
  const makeId = makeCallIds()
  const openCalls = new Map<unknown, OpenCall>()
  let calls = 0
  const usage: Record<string, unknown> = {}
  let report: ChatMetadata = {}
  let head: ChatMetadata = {}
  let serverCalls: ServerCalls | undefined
  let hasAnswered = false
  let hasFinished = false
  let isDone = false

  const readUsage = (later: unknown): void => {
    if (!isObject(later)) return
    addMessagesUsage(usage, later)
    report = { ...parseMessagesUsage(usage, parseCost), ...parseServiceTier(usage) }
    if (report.usage !== undefined) onUsage?.(report.usage)
    tell()
  }
  const tell = (): void => onReport?.({ ...head, ...report, ...omitUndefined({ serverCalls }) })

  const countCall = (block: Json): undefined => {
    const found = findBlockCalls(block)
    if (found === undefined) return
    serverCalls = addCalls(serverCalls, found)
    // No usage includes yet what the provider reads now.
    onUsage?.(undefined)
    tell()
  }

  const say = (events: ReadonlyArray<AnswerEvent>, end?: AnswerEnd): ChatEvent => {
    hasAnswered = true
    return {
      type: "delta",
      choices: [{ index: 0, events, ...(end === undefined ? undefined : { end }) }]
    }
  }
  const sayContent = (event: AnswerEvent): ChatEvent => {
    onUsage?.(undefined)
    return say([event])
  }

  const startMessage = (message: unknown): undefined => {
    if (!isObject(message)) return
    const { id, model } = message
    head = {
      ...(isShortText(id) ? { id } : undefined),
      ...(isShortText(model) ? { model } : undefined)
    }
    readUsage(message["usage"])
  }

  const startBlock = (
    key: unknown,
    block: unknown
  ): ChatEvent | ReadonlyArray<ChatEvent> | undefined => {
    if (!isObject(block)) return undefined
    switch (block["type"]) {
      case "text":
        return sayText(findText(block, "text"))
      case "thinking":
        return [
          sayThought(key, findText(block, "thinking")),
          ...saySignature(key, findText(block, "signature"))
        ].filter((event) => event !== undefined)
      case "redacted_thinking":
        return sayContent(toEncrypted(findText(block, "data") ?? "", key))
      case "tool_use":
        return startCall(key, block)
      default:
        return countCall(block)
    }
  }

  const startCall = (key: unknown, { id, input, name }: Json): ChatEvent | undefined => {
    if (typeof name !== "string") return undefined
    calls++
    const tool = findTool(name)
    const call = { id: makeId(id), ...tool, isCustom: tool.isCustom === true }
    openCalls.set(key, {
      call,
      input,
      texts: call.isCustom ? [] : undefined,
      hasDeltas: false
    })
    return call.isCustom ? undefined : sayContent({ type: "call", call, text: "" })
  }

  const sayText = (text: string | undefined): ChatEvent | undefined =>
    text === undefined || text === "" ? undefined : sayContent({ type: "text", text })

  const sayThought = (key: unknown, text: string | undefined): ChatEvent | undefined =>
    text === undefined || text === ""
      ? undefined
      : sayContent({
          type: "thought",
          key: toKey(key),
          format: anthropicFormat,
          text,
          isSummary: false
        })

  const continueBlock = (
    key: unknown,
    delta: unknown
  ): ChatEvent | ReadonlyArray<ChatEvent> | undefined => {
    if (!isObject(delta)) return undefined
    switch (delta["type"]) {
      case "text_delta":
        return sayText(findText(delta, "text"))
      case "thinking_delta":
        return sayThought(key, findText(delta, "thinking"))
      case "signature_delta":
        return saySignature(key, findText(delta, "signature"))
      case "citations_delta":
        return parseCitations([delta["citation"]]).map((citation) =>
          sayContent({ type: "citation", citation })
        )
      case "input_json_delta":
        return sayInput(openCalls.get(key), findText(delta, "partial_json") ?? "")
      default:
        return undefined
    }
  }

  const saySignature = (key: unknown, signature: string | undefined): ReadonlyArray<ChatEvent> =>
    signature === undefined || signature === "" ? [] : toSignature(signature, key).map(sayContent)

  const sayInput = (open: OpenCall | undefined, text: string): ChatEvent | undefined => {
    if (open === undefined || text === "") return undefined
    open.hasDeltas = true
    if (open.texts !== undefined) {
      open.texts.push(text)
      return undefined
    }
    return sayContent({ type: "call", call: open.call, text })
  }

  const stopBlock = (key: unknown): ChatEvent | undefined => {
    const call = openCalls.get(key)
    if (call === undefined) return undefined
    openCalls.delete(key)
    const whole = writeInput(call.input)
    if (call.texts === undefined) return call.hasDeltas ? undefined : sayInput(call, whole)
    return sayCustom(call, whole)
  }

  /** `whole`: the input without deltas. */
  const sayCustom = ({ call, hasDeltas, texts = [] }: OpenCall, whole: string): ChatEvent =>
    sayContent({ type: "call", call, text: getFreeText(hasDeltas ? texts.join("") : whole) })

  /** Calls whose blocks were cut off: their known pieces, and nothing that would make them look whole. */
  const cutCalls = (): ReadonlyArray<ChatEvent> => {
    const cut = Array.from(openCalls.values())
    openCalls.clear()
    return cut.flatMap((call) => {
      const input = isObject(call.input) && !isEmpty(call.input) ? JSON.stringify(call.input) : ""
      if (call.texts !== undefined) return [sayCustom(call, input)]
      const event = call.hasDeltas ? undefined : sayInput(call, input)
      return event === undefined ? [] : [event]
    })
  }

  const endMessage = ({ delta, usage: later }: Json): ReadonlyArray<ChatEvent> | undefined => {
    readUsage(later)
    const {
      stop_details: details,
      stop_reason: nativeReason,
      stop_sequence: sequence
    } = isObject(delta) ? delta : {}
    if (typeof nativeReason !== "string") return undefined
    hasFinished = true
    const explanation = isObject(details) ? details["explanation"] : undefined
    return [
      ...cutCalls(),
      say([], {
        reason: parseStopReason(nativeReason, calls > 0),
        nativeReason,
        ...(typeof sequence === "string" ? { stopSequence: sequence } : undefined),
        ...(typeof explanation === "string" ? { explanation } : undefined)
      })
    ]
  }

  const toEnd = () =>
    hasAnswered
      ? ({ type: "end", ...head, ...report, ...omitUndefined({ serverCalls }) } as const)
      : toInvalidAnswer("the stream holds no answer", report.usage)

  return {
    read: (json) => {
      const failure = findMessagesFailure(json, report.usage)
      if (failure !== undefined) return failure
      switch (json["type"]) {
        case "message_start":
          return startMessage(json["message"])
        case "content_block_start":
          return startBlock(json["index"], json["content_block"])
        case "content_block_delta":
          return continueBlock(json["index"], json["delta"])
        case "content_block_stop":
          return stopBlock(json["index"])
        case "message_delta":
          return endMessage(json)
        case "message_stop": {
          isDone = true
          const cut = cutCalls()
          const end = toEnd()
          if (end instanceof UpstreamFailure) return end
          // A server that does not say why it ended has said all.
          const reason = calls > 0 ? "tool_calls" : "stop"
          return hasFinished ? [...cut, end] : [...cut, say([], { reason }), end]
        }
        default:
          return undefined
      }
    },
    done: () =>
      hasFinished ? toEnd() : toInvalidAnswer("the stream ended before its message", report.usage),
    isDone: () => isDone
  }
}

/** The data of another router says whose reasoning it was. */
const toEncrypted = (data: string, key: unknown): AnswerEvent => {
  const wrapped = unwrapReasoning(data)
  const { encrypted = "", format, id } = wrapped ?? { encrypted: data, format: anthropicFormat }
  return {
    type: "encrypted",
    key: toKey(key),
    format,
    encrypted,
    ...(id === undefined ? undefined : { id })
  }
}

/** And so does its signature. */
const toSignature = (signature: string, key: unknown): ReadonlyArray<AnswerEvent> => {
  const wrapped = unwrapReasoning(signature)
  const thought = { type: "thought", key: toKey(key), text: "", isSummary: false } as const
  if (wrapped === undefined) return [{ ...thought, format: anthropicFormat, signature }]
  const { encrypted, format, id } = wrapped
  const named = { format, ...(id === undefined ? undefined : { id }) }
  return [
    {
      ...thought,
      ...named,
      ...(wrapped.signature === undefined ? undefined : { signature: wrapped.signature })
    },
    ...(encrypted === undefined
      ? []
      : [{ type: "encrypted", key: thought.key, ...named, encrypted } as const])
  ]
}

/** The pieces of one thought share the key of its block. */
const toKey = (key: unknown): string => `block ${String(key)}`
