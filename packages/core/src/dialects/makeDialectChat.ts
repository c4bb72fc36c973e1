/** Chats at a provider with a dialect of its own: requests are translated to it, and answers from it. */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Result from "effect/Result"
import type * as HttpClient from "effect/http/HttpClient"
import type { Conversation, Tool } from "../conversation/Conversation.ts"
import type { Dialect, NativeRequest } from "../conversation/Dialect.ts"
import type {
  ChatCall,
  ChatCapability,
  ChatDeltaEvent,
  ChatEvent,
  ChatReply,
  DialectHeaders
} from "../engine/upstreams/ChatCapability.ts"
import { makeCallIdStems } from "../engine/upstreams/callIdStems.ts"
import { completeChat } from "../engine/upstreams/completeChat.ts"
import { UpstreamFailure } from "../engine/upstreams/failures/UpstreamFailure.ts"
import {
  type ChatTokenLimits,
  estimateChatWorstCase
} from "../engine/upstreams/openaiChat/estimateChatWorstCase.ts"
import type { EventReader } from "../engine/upstreams/transport/EventDecoder.ts"
import type { Signer } from "../engine/upstreams/transport/Signer.ts"
import type { UpstreamRequest } from "../engine/upstreams/transport/UpstreamRequest.ts"
import type { JsonRequest } from "../engine/upstreams/transport/jsonRequests.ts"
import { streamEvents } from "../engine/upstreams/transport/streamEvents.ts"
import * as Step from "../values/Step.ts"
import { isObject } from "../values/json/guards.ts"
import type { PushStream } from "../values/push/PushStream.ts"
import { reportChanges, reportForeignParts, RequestChanges } from "./RequestChanges.ts"
import { reportLostFields } from "./lost/reportLostFields.ts"
import { toUnsupported, type UntranslatableRequest } from "./UntranslatableRequest.ts"
import type { ReasoningFamily } from "./reasoningFamily.ts"

/** The facts besides the conversation that a request to an endpoint depends on. */
export interface DialectCall {
  /** The model's name at the provider. */
  readonly model: string
  readonly isStreamed: boolean
  /** The most tokens of one answer, by the caller or the endpoint, else by the limits of the upstream. */
  readonly maxOutputTokens: number
  /** The efforts of reasoning that the model knows, as the catalog says; absent: it does not say. */
  readonly efforts?: ReadonlyArray<string>
}

/** The facts that a request depends on when it is passed on as its caller wrote it. */
export interface NativeCall extends DialectCall {
  /** The endpoint's list by the names of chat; undefined: it takes every parameter. */
  readonly supportedParameters: ChatCall["supportedParameters"]
  /** The tier that the endpoint sells or the caller asked for, as chat calls it. */
  readonly serviceTier: string | undefined
}

/** The facts besides its own content that reading an answer depends on. */
export interface DialectAnswerOptions {
  /** The tools of the request, whose calls get the names of the caller back. */
  readonly tools: ReadonlyArray<Tool>
  /**
   * Makes a prefix for the ids of calls that arrive without ids, which is unique for an answer that has no id either.
   */
  readonly makeCallIdStem?: (() => string) | undefined
  /** Whether the caller gets the answer itself, so that its parts may stay unread. Default false. */
  readonly isNative?: boolean
}

/** A provider's dialect of chat: pure functions between it and the neutral conversation. */
export interface ChatDialect {
  readonly name: Dialect
  /**
   * Prepares a request of this dialect for the endpoint. Replaces the model and the form of the answer. Leaves out what
   * the endpoint would refuse: reasoning of other providers, and parameters that its list does not name. All else is
   * untouched. Fails for media that the endpoint does not take. Each difference from the caller's request is added to
   * `changes`.
   */
  readonly passOn: (
    body: NativeRequest["body"],
    call: NativeCall,
    changes: RequestChanges
  ) => Result.Result<Readonly<Record<string, unknown>>, UntranslatableRequest>
  /**
   * Fails for content that the dialect cannot express and the model would miss. Content that the provider is known to
   * refuse is replaced or left out, and added to `changes`.
   */
  readonly writeRequest: (
    conversation: Conversation,
    call: DialectCall,
    changes: RequestChanges
  ) => Result.Result<Readonly<Record<string, unknown>>, UntranslatableRequest>
  /** The answer in the JSON of a 2xx response, or the error in it. */
  readonly parseAnswer: (
    json: unknown,
    options: DialectAnswerOptions
  ) => Result.Result<ChatReply, UpstreamFailure>
  /** Reads one streamed answer. */
  readonly makeEventReader: (
    options: DialectAnswerOptions & Pick<ChatCall, "onReport" | "onUsage">
  ) => EventReader<ChatEvent>
  /** Converts a response with an error status to a failure. */
  readonly toFailure: NonNullable<UpstreamRequest["toFailure"]>
  /** Adds headers of the caller (`ChatCall.dialectHeaders`) to a request. Absent: this dialect has none. */
  readonly addHeaders?: (request: HeadedRequest, given: DialectHeaders["headers"]) => HeadedRequest
  /** The family whose signatures and encrypted reasoning it reads. */
  readonly reasoningFamily: ReasoningFamily
  /**
   * Prepares an answer, or an event of one, for passing on: marks the parts that only this provider can read, and
   * repairs violations of its API. Absent: it is passed on unchanged.
   */
  readonly markNative?: (json: Readonly<Record<string, unknown>>) => typeof json
}

/** The parts of a request that headers of a caller may change. */
export interface HeadedRequest {
  /** Secret headers of the host. Headers of the same name that are not secret replace them. */
  readonly headers: UpstreamRequest["headers"]
  readonly nonSecretHeaders?: UpstreamRequest["nonSecretHeaders"]
  readonly body: Readonly<Record<string, unknown>>
}

/** An address of a provider, its credential and its dialect. */
export interface DialectEndpoint
  extends
    Pick<UpstreamRequest, "apiKey" | "headers" | "keyHeader">,
    Omit<ChatTokenLimits, "maxOutputTokens"> {
  /** The maximum length of an answer in tokens, unless the call sets one; a function gets the model's name. */
  readonly maxOutputTokens: number | ((model: string) => number)
  readonly dialect: ChatDialect
  readonly getUrl: (model: string, isStreamed: boolean) => string
  /** Fields for the router that the provider knows as well, such as `metadata`. Default: none. */
  readonly serverFields?: ReadonlyArray<string> | undefined
  /** Signs requests, except calls with a credential of their own, which is sent like `apiKey`. */
  readonly signer?: Signer | undefined
}

/**
 * Translates each call and sends it as one request. A call that the dialect cannot express is an `unsupported_parameter`,
 * and nothing is sent: an endpoint of another dialect may serve it.
 */
export const makeDialectChat = (endpoint: DialectEndpoint): ChatCapability => {
  const { dialect, serverFields } = endpoint
  const { markNative = identity } = dialect
  return {
    complete: (call) =>
      Step.flatMap(translate(endpoint, call, false), ({ request, tools }) =>
        completeChat(request, (json) => {
          const isPassedOn = isNative(endpoint, call)
          const answer = dialect.parseAnswer(json, {
            tools,
            makeCallIdStem: makeCallIdStems(),
            isNative: isPassedOn
          })
          if (!isPassedOn || !isObject(json) || Result.isFailure(answer)) return answer
          return Result.succeed({ ...answer.success, native: markNative(json) })
        })
      ),
    stream: (call): PushStream<ChatEvent, UpstreamFailure, HttpClient.HttpClient> => ({
      run: (push) =>
        Step.flatMap(translate(endpoint, call, true), ({ request, tools }) => {
          const { onBody, onReport, onUsage } = call
          return streamEvents({
            ...request,
            onBody,
            reader: () => {
              const reader = dialect.makeEventReader({
                tools,
                makeCallIdStem: makeCallIdStems(),
                ...(onReport === undefined ? undefined : { onReport }),
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
    ...(serverFields === undefined ? undefined : { serverFields }),
    reasoningFamily: dialect.reasoningFamily
  }
}

const getMaxOutputTokens = (
  { maxOutputTokens }: Pick<DialectEndpoint, "maxOutputTokens">,
  call: ChatCall
): number =>
  call.maxOutputTokens ??
  (typeof maxOutputTokens === "number" ? maxOutputTokens : maxOutputTokens(call.model))

/** Whether the provider gets the request of the caller, and the caller its answer, as they are. */
const isNative = ({ dialect }: DialectEndpoint, { native }: ChatCall): boolean =>
  native.dialect === dialect.name

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
  const { efforts, model, native, serviceTier, supportedParameters } = call
  const changes = new RequestChanges()
  const maxOutputTokens = getMaxOutputTokens(endpoint, call)
  const dialectCall: NativeCall = {
    model,
    isStreamed,
    maxOutputTokens,
    supportedParameters,
    serviceTier,
    ...(efforts === undefined ? undefined : { efforts })
  }
  let tools = noTools
  let written: ReturnType<ChatDialect["writeRequest"]>
  if (isNative(endpoint, call)) {
    written = dialect.passOn(native.body, dialectCall, changes)
  } else {
    if (Result.isFailure(call.conversation)) return Effect.fail(call.conversation.failure)
    const conversation = call.conversation.success
    ;({ tools } = conversation)
    // For requests of other APIs the plan has already reported the losses.
    if (native.dialect === "chat") reportForeignParts(conversation, dialect.name, changes)
    written = dialect.writeRequest(conversation, dialectCall, changes)
  }
  if (Result.isFailure(written)) return Effect.fail(toUnsupported(written.failure))
  reportChanges(call, changes, native.dialect === "chat" || isNative(endpoint, call))
  if (!isNative(endpoint, call)) reportLostFields(call, dialect.name, written.success)
  const { serverFields } = call
  const body =
    serverFields === undefined ? written.success : { ...written.success, ...serverFields }
  return Effect.succeed({ request: toRequest(endpoint, call, isStreamed, body), tools })
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

type Json = Readonly<Record<string, unknown>>

const maxWaiting = 256

/**
 * Events without content in the chat dialect wait for the first one with content: until then another provider may
 * answer. Events after the last content come with the end, in a delta without choices. A provider that has sent many
 * events, such as those of code that it runs, also counts as answering.
 */
export const withNativeEvents = (
  reader: EventReader<ChatEvent>,
  markNative: (event: Json) => Json = identity
): EventReader<ChatEvent> => {
  let waiting: Array<Json> = []
  let hasBegun = false

  return {
    read: (json) => {
      const read = reader.read(json)
      if (read instanceof UpstreamFailure) return read
      if (hasBegun) return addNative(read, [markNative(json)])
      // Keepalive events would fill the memory before the answer begins.
      if (!isPing(json) || !isPing(waiting.at(-1))) waiting.push(markNative(json))
      const first = isList(read) ? read[0] : read
      hasBegun = first === undefined ? waiting.length >= maxWaiting : first.type === "delta"
      if (!hasBegun) return read
      const native = waiting
      waiting = []
      return addNative(read, native)
    },
    done: () => reader.done(),
    isDone: () => reader.isDone?.() === true,
    end: () => reader.end?.()
  }
}

type Read = ChatEvent | ReadonlyArray<ChatEvent> | undefined

/** To the first event if that is a delta, else to one before it that says nothing else. */
const addNative = (read: Read, native: ReadonlyArray<Json>): Exclude<Read, undefined> => {
  if (read === undefined) return toSilent(native)
  if (!isList(read)) return read.type === "delta" ? { ...read, native } : [toSilent(native), read]
  const [first, ...others] = read
  return first?.type === "delta" ? [{ ...first, native }, ...others] : [toSilent(native), ...read]
}

const toSilent = (native: ReadonlyArray<Json>): ChatDeltaEvent => ({
  type: "delta",
  choices: [],
  native
})

const isList = (read: Read): read is ReadonlyArray<ChatEvent> => Array.isArray(read)

const isPing = (event: Json | undefined): boolean => event?.["type"] === "ping"
