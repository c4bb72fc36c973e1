/** The call of a chat at one endpoint, and the usage of its answer. */
import * as Predicate from "effect/Predicate"
import type * as HttpClient from "effect/http/HttpClient"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import { isByok } from "../routing/Candidate.ts"
import type { AttemptSuccess, Operation, OperationTarget, OutputCap } from "../routing/Operation.ts"
import type { ChatCall, ChatCapability, ChatReply } from "../upstreams/ChatCapability.ts"
import { UpstreamDefect } from "../upstreams/failures/UpstreamDefect.ts"
import { estimateTextTokens } from "../values/usage/estimateTextTokens.ts"
import { isValidUsage } from "../values/usage/isValidUsage.ts"
import { getRequestCount, type TokenUsage } from "../values/usage/TokenUsage.ts"
import { isZeroCompletion } from "./checkChatReply.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"
import { type ChatAccumulator, countCharacters } from "./stream/ChatAccumulator.ts"
import { findOutputCapName, toUpstreamParameters } from "./toUpstreamParameters.ts"

type Target = OperationTarget<ChatCapability>
type Draft<A> = { -readonly [K in keyof A]: A[K] }
type Endpoint = Target["candidate"]["endpoint"]

/** What bounds the cost of a chat, streamed or not. */
export const makeCostEstimates = (
  parsed: ParsedChat
): Omit<Operation<ChatCapability, ChatReply, HttpClient.HttpClient>, "leaseMillis" | "run"> => ({
  prepareWorstCase: parsed.measure,
  getWorstCase: (target) => estimateWorstCase(parsed, target),
  getOutputCap: (target) => findOutputCap(parsed, target),
  getUnreportedUsage: (target) => estimateBoundedUsage(parsed, target, noAnswer)
})

export const toChatCall = (
  parsed: ParsedChat,
  { candidate: { endpoint }, credential }: Target,
  onUsage?: ChatCall["onUsage"]
): ChatCall => {
  const call: Draft<ChatCall> = {
    model: endpoint.upstreamModel,
    messages: parsed.messages,
    parameters: toUpstreamParameters(parsed, endpoint.supportedParameters, endpoint.tier),
    get contentBytes() {
      return parsed.contentBytes()
    }
  }
  const maxOutputTokens = findMaxOutputTokens(parsed, endpoint, call.parameters)
  const { supportedParameters } = endpoint
  if (supportedParameters !== undefined) call.supportedParameters = supportedParameters
  if (onUsage !== undefined) call.onUsage = onUsage
  if (credential !== undefined) call.credential = credential
  if (parsed.native !== undefined) call.native = parsed.native
  if (parsed.dialectHeaders !== undefined) call.dialectHeaders = parsed.dialectHeaders
  if (maxOutputTokens !== undefined) call.maxOutputTokens = maxOutputTokens
  return call
}

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

/** A provider rejects a prompt that exceeds the context of its model, and charges nothing for it. */
const estimateWorstCase = (parsed: ParsedChat, target: Target): TokenUsage => {
  const worst = target.capability.estimateWorstCase(toChatCall(parsed, target))
  const { contextLength = Infinity } = target.candidate.endpoint
  return addImages(parsed, {
    ...worst,
    inputTokens: Math.min(worst.inputTokens, contextLength * getRequestCount(worst))
  })
}

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

/** The usage so far: as the provider reports it, else estimated from the answer. */
export const resolveUsage = (
  parsed: ParsedChat,
  target: Target,
  answer: AnswerSize,
  reportedUsage?: TokenUsage
): TokenUsage =>
  isValidUsage(reportedUsage)
    ? addImages(parsed, reportedUsage)
    : estimateBoundedUsage(parsed, target, answer)

type AnswerSize = Pick<ChatAccumulator, "characters" | "pieces">

/** The size of a whole answer, which is needed only when its provider reports no usage. */
export const measureChoices = (choices: ChatReply["choices"]): AnswerSize => ({
  pieces: () => choices.length,
  characters: () => {
    let characters = 0
    for (const { message } of choices) {
      characters += countCharacters(message) - countCharacters(message.role)
    }
    return characters
  }
})

const noAnswer: AnswerSize = { pieces: () => 0, characters: () => 0 }

const estimateBoundedUsage = (parsed: ParsedChat, target: Target, answer: AnswerSize): TokenUsage =>
  addImages(parsed, estimateUsage(parsed, answer, findWorstCase(parsed, target)))

/** At least one token for each piece of the answer, and at most `worstCase`, which is what was reserved. */
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
  answer: AnswerSize
): AttemptSuccess<ChatReply> => {
  const usage = resolveUsage(parsed, target, answer, reply.usage)
  const isFree = !isByok(target.candidate) && isZeroCompletion({ ...reply, usage })
  const cost = isFree ? NanoUsd.zero : reply.cost
  const served: Draft<AttemptSuccess<ChatReply>> = { value: reply, usage }
  if (!isValidUsage(reply.usage)) served.isEstimated = true
  if (cost !== undefined) served.cost = cost
  if (reply.model !== undefined) served.model = reply.model
  return served
}

/** Upstreams count tokens; images with a price of their own are counted here. */
const addImages = ({ images }: ParsedChat, usage: TokenUsage): TokenUsage =>
  images === 0 ? usage : { ...usage, images: images * getRequestCount(usage) }
