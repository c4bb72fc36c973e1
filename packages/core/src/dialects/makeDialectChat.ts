/** Chats at a provider with a dialect of its own: requests are translated to it, and answers from it. */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Fiber from "effect/Fiber"
import type * as HttpClient from "effect/http/HttpClient"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import type { Dialect } from "../conversation/Dialect.ts"
import type { NativeRequest } from "../conversation/NativeRequest.ts"
import type { Conversation, Tool } from "../conversation/Conversation.ts"
import type {
  ChatCall,
  ChatCapability,
  ChatEvent,
  ChatReply,
  DialectHeaders
} from "../upstreams/ChatCapability.ts"
import { completeChat } from "../upstreams/completeChat.ts"
import { UpstreamFailure } from "../upstreams/failures/UpstreamFailure.ts"
import {
  type ChatTokenLimits,
  estimateChatWorstCase
} from "../upstreams/openaiChat/estimateChatWorstCase.ts"
import type { EventReader } from "../upstreams/transport/EventDecoder.ts"
import type { JsonRequest } from "../upstreams/transport/jsonRequests.ts"
import type { Signer } from "../upstreams/transport/Signer.ts"
import { streamEvents } from "../upstreams/transport/streamEvents.ts"
import type { UpstreamRequest } from "../upstreams/transport/UpstreamRequest.ts"
import { isObject } from "../values/json/isObject.ts"
import type { PushStream } from "../values/push/PushStream.ts"
import { parseChatConversation } from "./chat/parseChatConversation.ts"
import type { ReasoningFamily } from "./reasoningFamily.ts"
import type { UntranslatableRequest } from "./UntranslatableRequest.ts"
import { withNativeEvents } from "./withNativeEvents.ts"

/** What a request to an endpoint depends on, besides the conversation. */
export interface DialectCall {
  /** The model's name at the provider. */
  readonly model: string
  readonly isStreamed: boolean
  /** The most tokens of one answer, by the caller or the endpoint, else by the limits of the upstream. */
  readonly maxOutputTokens: number
}

/** What a request depends on that is passed on as its caller wrote it. */
export interface NativeCall extends DialectCall {
  /** The endpoint's list by the names of chat; undefined: it takes every parameter. */
  readonly supportedParameters: ChatCall["supportedParameters"]
  /** The tier that the endpoint sells or the caller asked for, as chat calls it. */
  readonly serviceTier: string | undefined
}

/** What the answer to a request depends on, besides its own content. */
export interface DialectAnswerOptions {
  /** The tools of the request, whose calls get the names of the caller back. */
  readonly tools: ReadonlyArray<Tool>
  /** Tells an answer without an id from others, in the ids of calls that have none. */
  readonly makeCallIdStem?: (() => string) | undefined
}

/** A provider's dialect of chat: pure functions between it and the neutral conversation. */
export interface ChatDialect {
  readonly name: Dialect
  /**
   * A request of this dialect as it is sent. The model and the form of the answer are replaced, and left out is what the
   * endpoint would refuse: reasoning of other providers, and parameters that its list does not name. All else is untouched.
   * Fails for media that it does not take.
   */
  readonly passOn: (
    body: NativeRequest["body"],
    call: NativeCall
  ) => Result.Result<Readonly<Record<string, unknown>>, UntranslatableRequest>
  /** Fails for what the dialect cannot express, and the model would miss. */
  readonly writeRequest: (
    conversation: Conversation,
    call: DialectCall
  ) => Result.Result<Readonly<Record<string, unknown>>, UntranslatableRequest>
  /** The answer in the JSON of a 2xx response, or the error in it. */
  readonly parseAnswer: (
    json: unknown,
    options: DialectAnswerOptions
  ) => Result.Result<ChatReply, UpstreamFailure>
  /** Reads one streamed answer. */
  readonly makeEventReader: (
    options: DialectAnswerOptions & Pick<ChatCall, "onUsage">
  ) => EventReader<ChatEvent>
  /** What a response of an error status means. */
  readonly toFailure: NonNullable<UpstreamRequest["toFailure"]>
  /** Adds headers of the caller (`ChatCall.dialectHeaders`) to a request. Absent: this dialect has none. */
  readonly addHeaders?: (request: HeadedRequest, given: DialectHeaders["headers"]) => HeadedRequest
  /** Whose signatures and encrypted reasoning it reads. */
  readonly reasoningFamily: ReasoningFamily
  /**
   * Marks what only this provider can read in an answer, or in an event of one, that is passed on as it is. Absent: the
   * dialect's own signatures need no mark.
   */
  readonly markNative?: (json: Readonly<Record<string, unknown>>) => typeof json
}

/** What of a request the headers of a caller may change. */
export interface HeadedRequest {
  /** Of the host. They are secret, and replaced by those of the same name that are not. */
  readonly headers: UpstreamRequest["headers"]
  readonly nonSecretHeaders?: UpstreamRequest["nonSecretHeaders"]
  readonly body: Readonly<Record<string, unknown>>
}

/** An address of a provider, its credential and its dialect. */
export interface DialectEndpoint
  extends
    Pick<UpstreamRequest, "apiKey" | "headers" | "keyHeader">,
    Omit<ChatTokenLimits, "maxOutputTokens"> {
  /** The maximum length of an answer in tokens, or that of a model by its name, unless the call sets one. */
  readonly maxOutputTokens: number | ((model: string) => number)
  readonly dialect: ChatDialect
  readonly getUrl: (model: string, isStreamed: boolean) => string
  /** Not used for calls with a credential of their own, which is sent like `apiKey`. */
  readonly signer?: Signer | undefined
}

/**
 * Translates each call and sends it as one request. A call that the dialect cannot express is an `unsupported_parameter`,
 * and nothing is sent: an endpoint of another dialect may serve it.
 */
export const makeDialectChat = (endpoint: DialectEndpoint): ChatCapability => {
  const { dialect } = endpoint
  const { markNative = identity } = dialect
  return {
    complete: (call) =>
      Effect.flatMapEager(translate(endpoint, call, false), ({ request, tools }) =>
        completeChat(request, (json) => {
          const answer = dialect.parseAnswer(json, { tools, makeCallIdStem: makeStems() })
          return isNative(endpoint, call) && isObject(json)
            ? Result.map(answer, (reply) => ({ ...reply, native: markNative(json) }))
            : answer
        })
      ),
    stream: (call): PushStream<ChatEvent, UpstreamFailure, HttpClient.HttpClient> => ({
      run: (push) =>
        Effect.flatMapEager(translate(endpoint, call, true), ({ request, tools }) => {
          const { onUsage } = call
          return streamEvents({
            ...request,
            reader: () => {
              const reader = dialect.makeEventReader({
                tools,
                makeCallIdStem: makeStems(),
                ...(onUsage === undefined ? undefined : { onUsage })
              })
              return isNative(endpoint, call) ? withNativeEvents(reader, markNative) : reader
            }
          }).run(push)
        })
    }),
    estimateWorstCase: (call) =>
      estimateChatWorstCase(call, {
        ...endpoint,
        maxOutputTokens: getMaxOutputTokens(endpoint, call)
      }),
    dialect: dialect.name,
    reasoningFamily: dialect.reasoningFamily
  }
}

/** Drawn only for answers that need one. */
const makeStems = (): (() => string) => {
  const random = Fiber.getCurrent()?.getRef(Random.Random) ?? Random.Random.defaultValue()
  return () => Math.abs(random.nextIntUnsafe()).toString(36)
}

const getMaxOutputTokens = (
  { maxOutputTokens }: Pick<DialectEndpoint, "maxOutputTokens">,
  call: ChatCall
): number =>
  call.maxOutputTokens ??
  (typeof maxOutputTokens === "number" ? maxOutputTokens : maxOutputTokens(call.model))

/** Whether the provider gets the request of the caller, and the caller its answer, as they are. */
const isNative = ({ dialect }: DialectEndpoint, { native }: ChatCall): boolean =>
  native?.dialect === dialect.name

interface Translated {
  readonly request: JsonRequest
  readonly tools: ReadonlyArray<Tool>
}

const translate = (
  endpoint: DialectEndpoint,
  call: ChatCall,
  isStreamed: boolean
): Effect.Effect<Translated, UpstreamFailure> => {
  const { dialect } = endpoint
  const { messages, model, native, parameters, supportedParameters } = call
  const dialectCall = { model, isStreamed, maxOutputTokens: getMaxOutputTokens(endpoint, call) }
  const toTranslated = (
    written: ReturnType<ChatDialect["writeRequest"]>,
    tools: ReadonlyArray<Tool>
  ): Effect.Effect<Translated, UpstreamFailure> =>
    Result.isFailure(written)
      ? Effect.fail(toUnsupported(written.failure))
      : Effect.succeed({ request: toRequest(endpoint, call, isStreamed, written.success), tools })
  if (native !== undefined && isNative(endpoint, call)) {
    const { service_tier: tier } = parameters
    const serviceTier = typeof tier === "string" ? tier : undefined
    const nativeCall = { ...dialectCall, supportedParameters, serviceTier }
    return toTranslated(dialect.passOn(native.body, nativeCall), noTools)
  }
  const parsed = parseChatConversation({ messages, parameters })
  if (Result.isFailure(parsed)) return Effect.fail(toUnsupported(parsed.failure))
  const conversation = parsed.success
  return toTranslated(dialect.writeRequest(conversation, dialectCall), conversation.tools)
}

/** Names of tools come back as they were sent. */
const noTools: ReadonlyArray<Tool> = []

const toRequest = (
  { apiKey, dialect, getUrl, headers, keyHeader, signer }: DialectEndpoint,
  { credential, dialectHeaders, model }: ChatCall,
  isStreamed: boolean,
  body: Readonly<Record<string, unknown>>
): JsonRequest => ({
  url: getUrl(model, isStreamed),
  apiKey: credential ?? apiKey,
  keyHeader,
  ...(credential === undefined ? { signer } : undefined),
  toFailure: dialect.toFailure,
  ...(dialectHeaders?.dialect === dialect.name && dialect.addHeaders !== undefined
    ? dialect.addHeaders({ headers, body }, dialectHeaders.headers)
    : { headers, body })
})

/** Another endpoint may serve the request. */
export const toUnsupported = ({ path, problem }: UntranslatableRequest): UpstreamFailure =>
  new UpstreamFailure({
    kind: "unsupported_parameter",
    detail: path.length === 0 ? problem : `${path.join(".")} ${problem}`
  })
