/** Chats at any server with OpenAI's chat completions API. */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Result from "effect/Result"
import type * as HttpClient from "effect/http/HttpClient"
import type { ChatCall, ChatCapability, ChatEvent } from "../../engine/upstreams/ChatCapability.ts"
import { completeChat } from "../../engine/upstreams/completeChat.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import {
  type ChatBody,
  type ChatBodyMessage,
  toChatBody
} from "../../engine/upstreams/openaiChat/ChatBody.ts"
import {
  type ChatTokenLimits,
  estimateChatWorstCase
} from "../../engine/upstreams/openaiChat/estimateChatWorstCase.ts"
import type { CostParser } from "../../engine/upstreams/openaiChat/parseChatUsage.ts"
import type { UpstreamRequest } from "../../engine/upstreams/transport/UpstreamRequest.ts"
import type { JsonRequest } from "../../engine/upstreams/transport/jsonRequests.ts"
import { streamEvents } from "../../engine/upstreams/transport/streamEvents.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import type { PushStream } from "../../values/push/PushStream.ts"
import { reportLostFields } from "../lost/reportLostFields.ts"
import { findOutputCapName } from "./outputCap.ts"
import { type ChatReadOptions, parseChatReply } from "./readAnswer.ts"
import { ChatEventReader } from "./readEvents.ts"
import { nameReasoning } from "./reasoningText.ts"
import { repairMessages } from "./repairMessages.ts"
import { writeChatRequest } from "./writeRequest.ts"

/** A server with OpenAI's chat completions API. */
export interface ChatEndpoint
  extends
    Pick<UpstreamRequest, "url" | "apiKey" | "keyHeader" | "headers" | "signer">,
    ChatTokenLimits {
  /** Reads the cost of a call from the `usage` of its answer; absent: the upstream reports no trusted cost. */
  readonly parseCost?: CostParser
  /**
   * Whether it takes `stream_options`. Servers that refuse it report the usage of a stream unasked. Default true.
   */
  readonly takesStreamOptions?: boolean | undefined
  /**
   * Fields of assistant messages that it refuses, such as `reasoning_details`, and so does not get. Default: none.
   */
  readonly refusedFields?: ReadonlyArray<string> | undefined
  /**
   * Whether it takes `cache_control`, on messages, parts and tools and as a parameter. Servers that cache on their own may
   * refuse it, and then do not get it. Default true.
   */
  readonly takesCacheMarks?: boolean | undefined
  /**
   * Whether an answer that begins with `<think>`, or a tag like it, begins with a thought. Servers without a reasoning
   * parser for their model leave the thought in the text. Default true; false for a server that always has thoughts in
   * a field.
   */
  readonly readsThinkTags?: boolean | undefined
  /** Fields for the router that it knows as well, such as `plugins`. Default: none. */
  readonly serverFields?: ReadonlyArray<string> | undefined
  /**
   * Rewrites the body of a call where the server is known to refuse it, and reports each change to `onChange` of the
   * call: `makeChatFit` of `@signalbox/core/dialects`. Absent: messages and parameters are sent unchanged.
   */
  readonly fit?: ((body: ChatBody, call: ChatCall) => ChatBody) | undefined
}

/**
 * Posts the model, the messages and the parameters to `url`, unchanged but for what the server refuses, with `stream` and,
 * for a stream, a request for the usage. A request of another dialect is written from its conversation. The credential of a call takes precedence over `apiKey` and `signer`.
 */
export const makeChatCompletions = (endpoint: ChatEndpoint): ChatCapability => {
  const {
    apiKey,
    fit = identity,
    headers,
    keyHeader,
    parseCost,
    serverFields,
    signer,
    url
  } = endpoint
  const { refusedFields = [], takesCacheMarks = true, takesStreamOptions = true } = endpoint
  const toReadOptions = (call: ChatCall, { tools }: ChatBody): ChatReadOptions => ({
    keepsFunctionCall: keepsFunctionCall(call),
    isTool: toList(tools).length === 0 ? undefined : (name) => toList(tools).some(isNamed(name)),
    readsThinkTags: endpoint.readsThinkTags ?? true
  })
  const refused = new Set(refusedFields)
  if (refused.has("reasoning_details")) refused.add("thinking_blocks")
  const streamed = takesStreamOptions
    ? { stream: true, stream_options: { include_usage: true } }
    : { stream: true }
  const toRequest = (call: ChatCall, written: ChatBody, streamOptions: object): JsonRequest => {
    const { serverFields: known } = call
    const fitted = fit(known === undefined ? written : { ...written, ...known }, call)
    const body = takesCacheMarks ? fitted : omitCacheMarks(fitted)
    const messages = repairMessages(body.messages)
    return {
      url,
      apiKey: call.credential ?? apiKey,
      keyHeader,
      headers,
      signer: call.credential === undefined ? signer : undefined,
      body: {
        ...body,
        model: call.model,
        messages:
          refused.size === 0 ? messages : messages.map((message) => omitRefused(message, refused)),
        ...streamOptions
      }
    }
  }
  return {
    complete: (call) => {
      const written = writeChatBody(call)
      return Result.isFailure(written)
        ? Effect.fail(written.failure)
        : completeChat(toRequest(call, written.success, { stream: false }), (json) =>
            parseChatReply(json, parseCost, toReadOptions(call, written.success))
          )
    },
    stream: (call): PushStream<ChatEvent, UpstreamFailure, HttpClient.HttpClient> => {
      const written = writeChatBody(call)
      return Result.isFailure(written)
        ? { run: () => Effect.fail(written.failure) }
        : streamEvents({
            ...toRequest(call, written.success, streamed),
            onBody: call.onBody,
            reader: () =>
              new ChatEventReader(
                parseCost,
                call.onUsage,
                call.onReport,
                toReadOptions(call, written.success)
              )
          })
    },
    estimateWorstCase: (call) => estimateChatWorstCase(call, endpoint),
    ...(serverFields === undefined ? undefined : { serverFields }),
    ...(refused.has("reasoning_details") ? { reasoningFamily: nobody } : undefined)
  }
}

const isNamed =
  (name: string) =>
  (tool: unknown): boolean =>
    isObject(tool) && isObject(tool["function"]) && tool["function"]["name"] === name

/** Callers that describe functions in the form that predates tools expect calls in it. */
const keepsFunctionCall = ({ native }: ChatCall): boolean =>
  native.dialect === "chat" && (native.body["functions"] ?? undefined) !== undefined

/** A family that signs nothing, so that plans and records report all signed reasoning as left out. */
const nobody = "nobody"

const omitRefused = (message: ChatBodyMessage, refused: ReadonlySet<string>): ChatBodyMessage => {
  if (message.role !== "assistant") return message
  const kept = Object.entries(message).filter(([name]) => !refused.has(name))
  return { role: message.role, ...Object.fromEntries(kept) }
}

/** A chat in its own dialect is not read. */
export const writeChatBody = (call: ChatCall): Result.Result<ChatBody, UpstreamFailure> => {
  const { native, onChange, supportedParameters } = call
  if (native.dialect === "chat") return Result.succeed(toChatBody(native.body))
  return Result.map(call.conversation, (said) => {
    const { messages, parameters } = writeChatRequest(said, { takesToolImages: true })
    const { max_tokens: cap, ...others } = parameters
    const name = findOutputCapName(parameters, supportedParameters)
    const named = cap === undefined || name === undefined ? others : { ...others, [name]: cap }
    const body = {
      ...nameReasoning(named, { native, onChange, supportedParameters }, said.maxOutputTokens),
      messages
    }
    reportLostFields(call, "chat", body)
    return body
  })
}

/** Without the marks of messages, of their parts and of tools, and without the mark of the whole request. */
const omitCacheMarks = (body: ChatBody): ChatBody => {
  const unmarked = omitMark(omitEach(body, "tools"))
  return { ...unmarked, messages: body.messages.map(omitMessageMarks) }
}

const omitMessageMarks = (message: ChatBodyMessage): ChatBodyMessage =>
  omitMark(omitEach(message, "content"))

const omitEach = <A extends object>(json: A, name: string & keyof A): A => {
  const list: unknown = json[name]
  return Array.isArray(list)
    ? { ...json, [name]: list.map((each) => (isObject(each) ? omitMark(each) : each)) }
    : json
}

const omitMark = <A extends object>(json: A): A => {
  if (!Object.hasOwn(json, "cache_control")) return json
  const { cache_control: _, ...rest }: A & { readonly cache_control?: unknown } = json
  // The mark is of no type that is asked for here.
  return rest as A
}
