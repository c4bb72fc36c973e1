/** The call of a chat at one endpoint, and the usage of its answer. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as HttpClient from "effect/http/HttpClient"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { isByok } from "../../routing/Candidate.ts"
import {
  addServerTools,
  boundReading,
  boundTurn,
  listServerTools
} from "../../routing/serverTools/boundServerTools.ts"
import type { NativeRequest } from "../../conversation/Dialect.ts"
import { nameReasoning } from "../../dialects/chat/reasoningText.ts"
import { findOutputCapName } from "../../dialects/chat/outputCap.ts"
import { toUnsupported } from "../../dialects/UntranslatableRequest.ts"
import type {
  AttemptSuccess,
  Operation,
  OperationTarget,
  OutputCap,
  RequestedService
} from "../../routing/Operation.ts"
import type {
  ChatCall,
  ChatCapability,
  ChatChoice,
  ChatMetadata,
  ChatReply
} from "../../engine/upstreams/ChatCapability.ts"
import type { ChatFacts } from "../../engine/upstreams/ChatFacts.ts"
import { countTools, findAnswerFacts } from "../../engine/upstreams/openaiChat/chatFacts.ts"
import { toServedAs } from "../../routing/toServedAs.ts"
import { UpstreamDefect } from "../../engine/upstreams/failures/UpstreamDefect.ts"
import {
  type TokenUsage,
  estimateTextTokens,
  getRequestCount,
  isValidUsage
} from "../../values/usage/TokenUsage.ts"
import type { ServedAs, ServerCalls } from "../../values/usage/ModelUsage.ts"
import { addCompaction } from "./addCompaction.ts"
import { isZeroCompletion } from "./checkChatReply.ts"
import { findRequestedService } from "./findRequestedService.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"
import { countPartCharacters } from "./countCharacters.ts"
import type { ChatAccumulator } from "./stream/ChatAccumulator.ts"
import { toUpstreamParameters } from "./toUpstreamParameters.ts"

type Target = OperationTarget<ChatCapability>
type Draft<A> = { -readonly [K in keyof A]: A[K] }
type Endpoint = Target["candidate"]["endpoint"]

/** Bounds the cost of a chat, streamed or not. */
export const makeCostEstimates = (
  parsed: ParsedChat
): Omit<Operation<ChatCapability, ChatReply, HttpClient.HttpClient>, "leaseMillis" | "run"> => ({
  prepareWorstCase: parsed.measure,
  getWorstCase: (target) => estimateWorstCase(parsed, target),
  getReadingBound: ({ candidate }) =>
    boundReading(listServerTools(parsed.serverTools, candidate), candidate.endpoint),
  getOutputCap: (target) => findOutputCap(parsed, target),
  getRequestedService: (target) => findTargetService(parsed, target),
  getUnreportedUsage: (target) => estimateBoundedUsage(parsed, target, noAnswer)
})

export const toChatCall = (
  parsed: ParsedChat,
  { candidate, credential }: Target,
  { onChange, onReport, onUsage }: Pick<ChatCall, "onChange" | "onReport" | "onUsage"> = noListeners
): ChatCall => {
  const { endpoint } = candidate
  const { native, said } = parsed
  const { supportedParameters } = endpoint
  const parameters = toUpstreamParameters(parsed, supportedParameters, endpoint.tier)
  const sent = nameParameters(parsed, parameters, candidate, onChange)
  let conversation: ChatCall["conversation"] | undefined
  const call: Draft<ChatCall> = {
    model: endpoint.upstreamModel,
    native: native.dialect === "chat" ? toSentChat(sent, said) : native,
    get conversation() {
      return (conversation ??= Result.mapError(
        said.toConversation(parameters, parameters !== parsed.parameters),
        toUnsupported
      ))
    },
    get contentBytes() {
      return parsed.contentBytes()
    },
    get facts() {
      return findFacts(parsed, sent)
    }
  }
  const maxOutputTokens = findMaxOutputTokens(parsed, endpoint, sent)
  const { service_tier: tier } = sent
  if (typeof tier === "string") call.serviceTier = tier
  if (supportedParameters !== undefined) call.supportedParameters = supportedParameters
  if (candidate.efforts !== undefined) call.efforts = candidate.efforts
  if (onChange !== undefined) call.onChange = onChange
  if (onReport !== undefined) call.onReport = onReport
  if (onUsage !== undefined) call.onUsage = onUsage
  if (credential !== undefined) call.credential = credential
  if (parsed.dialectHeaders !== undefined) call.dialectHeaders = parsed.dialectHeaders
  if (maxOutputTokens !== undefined) call.maxOutputTokens = maxOutputTokens
  return call
}

const noListeners = {}

type Parameters = ParsedChat["parameters"]

/** Written on first access: most upstreams read it once, and upstreams of other dialects never. */
const toSentChat = (parameters: Parameters, said: ParsedChat["said"]): NativeRequest => {
  let body: NativeRequest["body"] | undefined
  return {
    dialect: "chat",
    get body() {
      return (body ??= { ...parameters, messages: said.toMessages() })
    }
  }
}

const findFacts = ({ native, said }: ParsedChat, sent: Parameters): ChatFacts => ({
  messages: said.countMessages(),
  media: said.listMedia(),
  ...countTools(native.dialect === "chat" ? sent : native.body),
  ...findAnswerFacts(sent)
})

/** Other dialects have a single name for how much a model reasons; the endpoint's list may have another one. */
const nameParameters = (
  { maxOutputTokens, native }: ParsedChat,
  parameters: Parameters,
  { dialect = "chat", endpoint: { supportedParameters } }: Target["candidate"],
  onChange: ChatCall["onChange"]
): Parameters =>
  dialect === "chat"
    ? nameReasoning(
        parameters,
        // A translation is named, and its changes reported, when it is written.
        { native, supportedParameters, onChange: native.dialect === "chat" ? onChange : undefined },
        maxOutputTokens
      )
    : parameters

/** A cap of the caller applies only where it is sent to the endpoint. */
const findMaxOutputTokens = (
  { maxOutputTokens, parameters }: ParsedChat,
  { contextLength = Infinity, maxCompletionTokens = Infinity, supportedParameters }: Endpoint,
  sent: ParsedChat["parameters"]
): number | undefined => {
  const isSent =
    maxOutputTokens !== undefined &&
    findOutputCapName(parameters, supportedParameters) !== undefined
  const cap = isSent ? widenCap(maxOutputTokens, sent) : Infinity
  const most = Math.min(cap, maxCompletionTokens, contextLength)
  return most === Infinity ? undefined : most
}

/** A provider may read another name of the cap, and may reason beyond it. */
const widenCap = (cap: number, sent: ParsedChat["parameters"]): number => {
  const most = Math.max(
    cap,
    toNumber(sent["max_output_tokens"]),
    toNumber(sent["max_new_tokens"]),
    toNumber(sent["min_tokens"])
  )
  return most + getReasoningTokens(sent)
}

const getReasoningTokens = ({ reasoning, thinking }: ParsedChat["parameters"]): number =>
  Math.max(
    toNumber(getField(reasoning, "max_tokens")),
    toNumber(getField(thinking, "budget_tokens"))
  )

const getField = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) ? value[name] : undefined

const toNumber = (value: unknown): number => (typeof value === "number" ? value : 0)

/**
 * A provider rejects a prompt that exceeds the context of its model, and charges nothing for it. Tools that it runs by
 * itself add what they read and what they search.
 */
const estimateWorstCase = (parsed: ParsedChat, target: Target): TokenUsage => {
  const { candidate, capability } = target
  const { endpoint } = candidate
  const worst = capability.estimateWorstCase(toChatCall(parsed, target))
  const { contextLength = Infinity } = endpoint
  const requests = getRequestCount(worst)
  const sent = {
    ...worst,
    inputTokens: Math.min(worst.inputTokens, contextLength * requests)
  }
  const tools = listServerTools(parsed.serverTools, candidate)
  const { native: written } = parsed
  const isNative = written.dialect !== "chat" && written.dialect === candidate.dialect
  const native = isNative ? written : undefined
  const compacted = addCompaction(sent, native, endpoint.maxCompletionTokens ?? maxSummaryTokens)
  return addImages(parsed, addServerTools(compacted, tools, endpoint))
}

/** The most that models write, for an endpoint that states no limit. */
const maxSummaryTokens = 128_000

/** Undefined when the endpoint supports no parameter that caps the answer. */
const findOutputCap = (
  { maxOutputTokens, parameters }: ParsedChat,
  { candidate: { endpoint } }: Target
): OutputCap | undefined => {
  const name = findOutputCapName(parameters, endpoint.supportedParameters)
  if (name === undefined) return undefined
  const sent = toUpstreamParameters({ parameters }, endpoint.supportedParameters)
  return {
    name,
    isSent: maxOutputTokens !== undefined,
    answers: Math.max(toNumber(sent["n"]), toNumber(sent["best_of"]), 1),
    overheadTokens: getReasoningTokens(sent)
  }
}

/** The usage that is known of an answer. */
export interface ToldUsage {
  /** The usage that the provider reports; absent: it reports none. */
  readonly usage?: TokenUsage | undefined
  /** Content followed the report, which it does not count; absent: none did. */
  readonly isBehind?: boolean
  /** The tools that the provider was seen to run; absent: none. */
  readonly serverCalls?: ServerCalls | undefined
}

/** Whether a report of the provider counts all of an answer. No prompt is empty, so one of no tokens was not counted. */
export const isCounted = ({ isBehind = false, usage }: ToldUsage): boolean =>
  !isBehind && isValidUsage(usage) && usage.inputTokens > 0

/**
 * The usage so far: as the provider reports it, else estimated from the answer and from what the provider was seen to run.
 */
export const resolveUsage = (
  parsed: ParsedChat,
  target: Target,
  answer: AnswerSize,
  told: ToldUsage
): TokenUsage => {
  const { serverCalls, usage } = told
  const isReported = isValidUsage(usage)
  if (isReported && isCounted(told)) return addImages(parsed, usage)
  const worst = findWorstCase(parsed, target)
  const estimated = estimateUsage(parsed, answer, worst)
  const known = isReported
    ? {
        ...usage,
        // A placeholder, sent before the text or by a server that counts nothing.
        inputTokens: usage.inputTokens === 0 ? estimated.inputTokens : usage.inputTokens,
        outputTokens: Math.max(usage.outputTokens, estimated.outputTokens)
      }
    : estimated
  return addImages(
    parsed,
    serverCalls === undefined ? known : addServerCalls(known, serverCalls, target, worst)
  )
}

/**
 * Charges up to a turn's bound after each server call, which the model may have read, so that leaving before the report
 * does not save money. The reserved worst case is the upper limit.
 */
const addServerCalls = (
  usage: TokenUsage,
  { calls, webSearches }: ServerCalls,
  { candidate: { endpoint } }: Target,
  { inputTokens: most }: Pick<TokenUsage, "inputTokens"> = { inputTokens: 0 }
): TokenUsage => {
  const inputTokens = Math.min(usage.inputTokens + calls * boundTurn(endpoint), most)
  return {
    ...usage,
    ...(inputTokens > usage.inputTokens && inputTokens < Infinity ? { inputTokens } : undefined),
    ...(webSearches > (usage.webSearches ?? 0) ? { webSearches } : undefined)
  }
}

type AnswerSize = Pick<ChatAccumulator, "characters" | "pieces">

/** The size of a whole answer, which is needed only when its provider reports no usage. */
export const measureChoices = (choices: ReadonlyArray<ChatChoice>): AnswerSize => ({
  pieces: () => choices.length,
  characters: () => {
    let characters = 0
    for (const { answer } of choices) {
      for (const part of answer.parts) characters += countPartCharacters(part)
    }
    return characters
  }
})

const noAnswer: AnswerSize = { pieces: () => 0, characters: () => 0 }

const estimateBoundedUsage = (parsed: ParsedChat, target: Target, answer: AnswerSize): TokenUsage =>
  addImages(parsed, estimateUsage(parsed, answer, findWorstCase(parsed, target)))

/** At least one token for each piece of the answer, and at most `worstCase`, which is the reserved amount. */
export const estimateUsage = (
  { inputTokens }: Pick<ParsedChat, "inputTokens">,
  { characters, pieces }: AnswerSize,
  worstCase: TokenUsage = { inputTokens: Infinity, outputTokens: Infinity }
): TokenUsage => ({
  inputTokens: Math.min(inputTokens, worstCase.inputTokens),
  outputTokens: Math.min(
    Math.max(pieces(), estimateTextTokens(characters())),
    worstCase.outputTokens
  )
})

/** A defect in the provider's estimate must not cost the caller an answer that exists. */
const findWorstCase = (parsed: ParsedChat, target: Target): TokenUsage | undefined => {
  try {
    return estimateWorstCase(parsed, target)
  } catch (defect) {
    if (defect instanceof UpstreamDefect) return undefined
    throw defect
  }
}

/** An answer without content is free on shared capacity (`isZeroCompletion`). */
export const toServed = (
  parsed: ParsedChat,
  target: Target,
  reply: ChatReply,
  answer: AnswerSize,
  told: ToldUsage
): AttemptSuccess<ChatReply> => {
  const usage = resolveUsage(parsed, target, answer, told)
  const isFree = !isByok(target.candidate) && isZeroCompletion({ ...reply, usage })
  const cost = isFree ? NanoUsd.zero : reply.cost
  const served: Draft<AttemptSuccess<ChatReply>> = { value: reply, usage }
  if (!isCounted(told)) served.isEstimated = true
  if (told.serverCalls !== undefined) served.hasRead = true
  if (cost !== undefined) served.cost = cost
  if (reply.model !== undefined) served.model = reply.model
  const servedAs = findServedAs(parsed, target, reply)
  if (servedAs !== undefined) served.servedAs = servedAs
  return served
}

/** An endpoint of a tier is asked for that tier. */
const findTargetService = (
  parsed: ParsedChat,
  { candidate: { dialect, endpoint } }: Target
): RequestedService | undefined => {
  const service = findRequestedService(parsed, dialect)
  return endpoint.tier === "default"
    ? service
    : { ...service, conditions: { ...service?.conditions, service_tier: endpoint.tier } }
}

/** The model and provider that served it and how, as far as the provider has reported them. */
export const findServedAs = (
  parsed: ParsedChat,
  target: Target,
  report: ChatMetadata
): ServedAs | undefined => toServedAs(report, findTargetService(parsed, target)?.conditions)

/** Upstreams count tokens; images with a price of their own are counted here. */
const addImages = ({ images }: ParsedChat, usage: TokenUsage): TokenUsage =>
  images === 0 ? usage : { ...usage, images: images * getRequestCount(usage) }
