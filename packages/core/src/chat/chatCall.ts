/** A chat as it reaches one endpoint, and what an answer to it comes to. */
import * as Predicate from "effect/Predicate"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import { isByok } from "../routing/Candidate.ts"
import type { AttemptSuccess } from "../routing/Operation.ts"
import type { OutputCap, OperationTarget } from "../routing/Operation.ts"
import type { ChatCall, ChatCapability, ChatReply } from "../upstreams/ChatCapability.ts"
import { UpstreamDefect } from "../upstreams/failures/UpstreamDefect.ts"
import { getRequestCount, type TokenUsage } from "../values/usage/TokenUsage.ts"
import type { ChatAccumulator } from "./ChatAccumulator.ts"
import { isZeroCompletion } from "./checkChatReply.ts"
import { estimateUsage, type AnswerSize } from "./estimateUsage.ts"
import type { ParsedChat } from "./parseChatRequest.ts"
import { findOutputCapName, toUpstreamParameters } from "./toUpstreamParameters.ts"

export const toChatCall = (
  parsed: ParsedChat,
  { candidate: { endpoint }, credential }: OperationTarget<unknown>,
  onUsage?: ChatCall["onUsage"]
): ChatCall => ({
  ...(onUsage === undefined ? undefined : { onUsage }),
  ...(credential === undefined ? undefined : { credential }),
  model: endpoint.upstreamModel,
  messages: parsed.messages,
  parameters: toUpstreamParameters(parsed, endpoint.supportedParameters, endpoint.tier),
  get contentBytes() {
    return parsed.contentBytes()
  },
  ...toMaxOutput(parsed, endpoint)
})

/** What the caller says holds only where it is sent on. */
const toMaxOutput = (
  { maxOutputTokens, parameters }: ParsedChat,
  endpoint: OperationTarget<unknown>["candidate"]["endpoint"]
): Pick<ChatCall, "maxOutputTokens"> => {
  const { contextLength = Infinity, maxCompletionTokens = Infinity, supportedParameters } = endpoint
  const isSent = findOutputCapName(parameters, supportedParameters) !== undefined
  const cap =
    isSent && maxOutputTokens !== undefined
      ? widenCap(maxOutputTokens, toUpstreamParameters({ parameters }, supportedParameters))
      : Infinity
  const most = Math.min(cap, maxCompletionTokens, contextLength)
  return most === Infinity ? {} : { maxOutputTokens: most }
}

/** A provider may go by another name of the cap, and may think beside it. */
const widenCap = (cap: number, sent: ParsedChat["parameters"]): number => {
  const others = ["max_output_tokens", "max_new_tokens", "min_tokens"].map((name) => sent[name])
  return Math.max(cap, ...others.map(toNumber)) + getReasoningTokens(sent)
}

const getReasoningTokens = ({ reasoning, thinking }: ParsedChat["parameters"]): number =>
  Math.max(
    ...[getField(reasoning, "max_tokens"), getField(thinking, "budget_tokens")].map(toNumber)
  )

const getField = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) ? value[name] : undefined

const toNumber = (value: unknown): number => (typeof value === "number" ? value : 0)

/** A prompt that is longer than the context of its model is refused, and costs nothing. */
export const estimateWorstCase = (
  parsed: ParsedChat,
  target: OperationTarget<ChatCapability>
): TokenUsage => {
  const worst = target.capability.estimateWorstCase(toChatCall(parsed, target))
  const { contextLength = Infinity } = target.candidate.endpoint
  return addImages(parsed, {
    ...worst,
    inputTokens: Math.min(worst.inputTokens, contextLength * getRequestCount(worst))
  })
}

/** How the caller can bound the answer there; undefined: nothing that it says is sent on. */
export const findOutputCap = (
  { maxOutputTokens, parameters }: ParsedChat,
  { candidate: { endpoint } }: OperationTarget<unknown>
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

/** Of a provider that was asked and did not come to say: the prompt, as far as it can be told. */
export const estimatePromptUsage = (
  parsed: ParsedChat,
  target: OperationTarget<ChatCapability>
): TokenUsage =>
  estimateBoundedUsage(parsed, target, {
    inputTokens: parsed.inputTokens,
    pieces: 0,
    characters: 0
  })

/** What it used until now: as its provider has `restrictionFields`, else as far as it can be told from what was said. */
export const resolveUsage = (
  parsed: ParsedChat,
  target: OperationTarget<ChatCapability>,
  accumulator: ChatAccumulator,
  reportedUsage?: TokenUsage
): TokenUsage => {
  if (isValidUsage(reportedUsage)) return addImages(parsed, reportedUsage)
  const { inputTokens } = parsed
  return estimateBoundedUsage(parsed, target, {
    inputTokens,
    pieces: accumulator.pieces(),
    characters: accumulator.characters()
  })
}

const estimateBoundedUsage = (
  parsed: ParsedChat,
  target: OperationTarget<ChatCapability>,
  size: AnswerSize
): TokenUsage => addImages(parsed, estimateUsage(size, findWorstCase(parsed, target)))

/** An answer that is there is not lost because its provider's own code cannot say how long it may be. */
const findWorstCase = (
  parsed: ParsedChat,
  target: OperationTarget<ChatCapability>
): TokenUsage | undefined => {
  try {
    return estimateWorstCase(parsed, target)
  } catch (defect) {
    if (defect instanceof UpstreamDefect) return undefined
    throw defect
  }
}

/** A whole answer. On shared capacity it is free where nothing was said (`isZeroCompletion`). */
export const toServed = (
  parsed: ParsedChat,
  target: OperationTarget<ChatCapability>,
  reply: ChatReply,
  accumulator: ChatAccumulator
): AttemptSuccess<ChatReply> => {
  const usage = resolveUsage(parsed, target, accumulator, reply.usage)
  const isFree = !isByok(target.candidate) && isZeroCompletion({ ...reply, usage })
  const cost = isFree ? NanoUsd.zero : reply.cost
  return {
    value: reply,
    usage,
    ...(isValidUsage(reply.usage) ? undefined : { isEstimated: true as const }),
    ...(cost === undefined ? undefined : { cost }),
    ...(reply.model === undefined ? undefined : { model: reply.model })
  }
}

/** What is no number of tokens is as if it were not said. */
export const isValidUsage = (usage: TokenUsage | undefined): usage is TokenUsage =>
  usage !== undefined && listCounts(usage).every(Number.isSafeInteger)

const listCounts = (usage: TokenUsage): ReadonlyArray<number> => [
  usage.inputTokens,
  usage.outputTokens,
  getRequestCount(usage)
]

/** The upstream counts tokens; an image that has a price of its own is counted here. */
const addImages = ({ images }: ParsedChat, usage: TokenUsage): TokenUsage =>
  images === 0 ? usage : { ...usage, images: images * getRequestCount(usage) }
