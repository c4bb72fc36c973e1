/** Reads the untrusted events of a streamed answer of Anthropic's API. */
import type { AnswerEnd } from "../../conversation/Answer.ts"
import type {
  ChatCall,
  ChatDelta,
  ChatEvent,
  ChatMetadata
} from "../../upstreams/ChatCapability.ts"
import { isShortText, toInvalidAnswer } from "../../upstreams/openaiChat/parseChatReply.ts"
import { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import type { EventReader } from "../../upstreams/transport/EventDecoder.ts"
import { isObject } from "../../values/json/isObject.ts"
import { getFreeText, makeToolFinder } from "../CalledTool.ts"
import { findMessagesFailure } from "./findMessagesFailure.ts"
import type { MessagesReadOptions } from "./parseMessagesAnswer.ts"
import { addMessagesUsage, parseMessagesUsage, parseServiceTier } from "./parseMessagesUsage.ts"
import { findText, isEmpty } from "../readField.ts"
import { parseStopReason } from "./stopReasons.ts"
import { anthropicFormat } from "./thinkingBlocks.ts"
import { unwrapReasoning } from "./wrapReasoning.ts"

type Json = Readonly<Record<string, unknown>>

export interface MessagesStreamOptions extends MessagesReadOptions {
  readonly onUsage?: ChatCall["onUsage"]
}

/** A call whose block is open. */
interface OpenCall {
  readonly index: number
  readonly id: string
  readonly name: string
  /** What the block said at its start; an answer of old has all of the input there. */
  readonly input: unknown
  /** Of a tool of free text, whose input is read as a whole. */
  readonly texts: Array<string> | undefined
  hasDeltas: boolean
}

/** Only `message_stop` completes a stream. What other events say besides text, reasoning and calls is left out. */
export const makeMessagesEventReader = ({
  onUsage,
  parseCost,
  tools = []
}: MessagesStreamOptions = {}): EventReader<ChatEvent> => {
  const findTool = makeToolFinder(tools)
  const openCalls = new Map<unknown, OpenCall>()
  let calls = 0
  const usage: Record<string, unknown> = {}
  let report: ChatMetadata = {}
  let head: ChatMetadata = {}
  let hasAnswered = false
  let hasFinished = false
  let isDone = false

  const readUsage = (later: unknown): void => {
    addMessagesUsage(usage, later)
    report = { ...parseMessagesUsage(usage, parseCost), ...parseServiceTier(usage) }
    if (isObject(later) && report.usage !== undefined) onUsage?.(report.usage)
  }

  const say = (
    delta: ChatDelta["delta"],
    end: Omit<ChatDelta, "delta" | "index"> = { finishReason: null }
  ): ChatEvent => {
    hasAnswered = true
    return { type: "delta", choices: [{ index: 0, delta, ...end }] }
  }
  const sayContent = (delta: ChatDelta["delta"]): ChatEvent => {
    onUsage?.(undefined)
    return say(delta)
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
          saySignature(key, findText(block, "signature"))
        ].filter((event) => event !== undefined)
      case "redacted_thinking":
        return sayContent({ reasoning_details: [toEncryptedDetail(findText(block, "data"), key)] })
      case "tool_use":
        return startCall(key, block)
      default:
        return undefined
    }
  }

  const startCall = (key: unknown, { id, input, name }: Json): ChatEvent | undefined => {
    if (typeof id !== "string" || typeof name !== "string") return undefined
    const index = calls++
    const tool = findTool(name)
    const isCustom = tool.isCustom === true
    openCalls.set(key, {
      index,
      id,
      name: tool.name,
      input,
      texts: isCustom ? [] : undefined,
      hasDeltas: false
    })
    const namespace = tool.namespace === undefined ? undefined : { namespace: tool.namespace }
    return isCustom
      ? undefined
      : sayContent({
          tool_calls: [
            {
              index,
              id,
              type: "function",
              function: { name: tool.name, arguments: "" },
              ...namespace
            }
          ]
        })
  }

  const sayText = (text: string | undefined): ChatEvent | undefined =>
    text === undefined || text === "" ? undefined : sayContent({ content: text })

  const sayThought = (key: unknown, text: string | undefined): ChatEvent | undefined =>
    text === undefined || text === ""
      ? undefined
      : sayContent({ reasoning: text, reasoning_details: [toTextDetail({ text }, key)] })

  const continueBlock = (key: unknown, delta: unknown): ChatEvent | undefined => {
    if (!isObject(delta)) return undefined
    switch (delta["type"]) {
      case "text_delta":
        return sayText(findText(delta, "text"))
      case "thinking_delta":
        return sayThought(key, findText(delta, "thinking"))
      case "signature_delta":
        return saySignature(key, findText(delta, "signature"))
      case "input_json_delta":
        return sayInput(openCalls.get(key), findText(delta, "partial_json") ?? "")
      default:
        return undefined
    }
  }

  const saySignature = (key: unknown, signature: string | undefined): ChatEvent | undefined =>
    signature === undefined || signature === ""
      ? undefined
      : sayContent({ reasoning_details: toSignatureDetails(signature, key) })

  const sayInput = (call: OpenCall | undefined, text: string): ChatEvent | undefined => {
    if (call === undefined || text === "") return undefined
    call.hasDeltas = true
    if (call.texts !== undefined) {
      call.texts.push(text)
      return undefined
    }
    return sayContent({ tool_calls: [{ index: call.index, function: { arguments: text } }] })
  }

  const stopBlock = (key: unknown): ChatEvent | undefined => {
    const call = openCalls.get(key)
    if (call === undefined) return undefined
    openCalls.delete(key)
    const whole = JSON.stringify(isObject(call.input) ? call.input : {})
    if (call.texts === undefined) return call.hasDeltas ? undefined : sayInput(call, whole)
    return sayCustom(call, whole)
  }

  /** `whole`: the input without deltas. */
  const sayCustom = ({ hasDeltas, id, index, name, texts = [] }: OpenCall, whole: string) => {
    const input = getFreeText(hasDeltas ? texts.join("") : whole)
    return sayContent({ tool_calls: [{ index, id, type: "custom", custom: { name, input } }] })
  }

  /** Calls whose blocks were cut off: what is known of them, and nothing to make them look whole. */
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
      stop_reason: nativeFinishReason,
      stop_sequence: sequence
    } = isObject(delta) ? delta : {}
    if (typeof nativeFinishReason !== "string") return undefined
    hasFinished = true
    const explanation = isObject(details) ? details["explanation"] : undefined
    const end: ChatDelta["end"] = {
      ...(typeof sequence === "string" ? { stopSequence: sequence } : undefined),
      ...(typeof explanation === "string" ? { explanation } : undefined)
    } satisfies Partial<AnswerEnd>
    return [
      ...cutCalls(),
      say(
        {},
        {
          finishReason: parseStopReason(nativeFinishReason, calls > 0),
          nativeFinishReason,
          ...(isEmpty(end) ? undefined : { end })
        }
      )
    ]
  }

  const toEnd = () =>
    hasAnswered
      ? ({ type: "end", ...head, ...report } as const)
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
          return end instanceof UpstreamFailure ? end : [...cut, end]
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

/** The pieces of one detail have the same index, that of its block. */
const toTextDetail = (said: object, key: unknown) => ({
  type: "reasoning.text",
  ...said,
  format: anthropicFormat,
  index: toIndex(key)
})

const toEncryptedDetail = (data = "", key: unknown) => {
  const {
    encrypted = "",
    format,
    id
  } = unwrapReasoning(data) ?? {
    encrypted: data,
    format: anthropicFormat
  }
  return {
    type: "reasoning.encrypted",
    data: encrypted,
    ...(id === undefined ? undefined : { id }),
    format,
    index: toIndex(key)
  }
}

/** A signature of another router says whose reasoning it was. */
const toSignatureDetails = (signature: string, key: unknown): ReadonlyArray<Json> => {
  const wrapped = unwrapReasoning(signature)
  if (wrapped === undefined) return [toTextDetail({ signature }, key)]
  const { encrypted, format, id } = wrapped
  const named = { ...(id === undefined ? undefined : { id }), format }
  const index = toIndex(key)
  return [
    {
      type: "reasoning.text",
      ...(wrapped.signature === undefined ? undefined : { signature: wrapped.signature }),
      ...named,
      index
    },
    ...(encrypted === undefined
      ? []
      : [
          { type: "reasoning.encrypted", data: encrypted, ...named, index: index + encryptedOffset }
        ])
  ]
}

/** One block becomes two details; no answer has as many blocks. */
const encryptedOffset = 1_000_000

const toIndex = (key: unknown): number =>
  typeof key === "number" && Number.isSafeInteger(key) && key >= 0 ? key : 0
