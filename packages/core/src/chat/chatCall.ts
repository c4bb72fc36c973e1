/** A chat as it reaches one endpoint, and what an answer to it comes to. */
import * as Predicate from "effect/Predicate"
import * as NanoUsd from "../values/NanoUsd.ts"
import { isByok } from "../routing/Candidate.ts"
import type { Served } from "../routing/attempt.ts"
import type { OutputCap, Target } from "../routing/Query.ts"
import type { ChatCall, ChatCapability, ChatReply } from "../upstreams/ChatCapability.ts"
import { UpstreamDefect } from "../upstreams/UpstreamDefect.ts"
import { requestsOf, type TokenUsage } from "../values/TokenUsage.ts"
import type { Assembling } from "./Assembling.ts"
import { isUnpaid } from "./checkChatReply.ts"
import { estimatedUsage, type Said } from "./estimatedUsage.ts"
import type { ParsedChat } from "./parseChatRequest.ts"
import { capFor, sentParameters } from "./sentParameters.ts"

export const callOf = (
  parsed: ParsedChat,
  { candidate: { endpoint }, credential }: Target<unknown>,
  stated?: ChatCall["stated"]
): ChatCall => ({
  ...(stated === undefined ? undefined : { stated }),
  ...(credential === undefined ? undefined : { credential }),
  model: endpoint.upstreamModel,
  messages: parsed.messages,
  parameters: sentParameters(parsed, endpoint.supportedParameters, endpoint.tier),
  get contentBytes() {
    return parsed.contentBytes()
  },
  ...maxOutputOf(parsed, endpoint)
})

/** What the caller says holds only where it is sent on. */
const maxOutputOf = (
  { maxOutputTokens, parameters }: ParsedChat,
  endpoint: Target<unknown>["candidate"]["endpoint"]
): Pick<ChatCall, "maxOutputTokens"> => {
  const { contextLength = Infinity, maxCompletionTokens = Infinity, supportedParameters } = endpoint
  const isSent = capFor(parameters, supportedParameters) !== undefined
  const cap =
    isSent && maxOutputTokens !== undefined
      ? widened(maxOutputTokens, sentParameters({ parameters }, supportedParameters))
      : Infinity
  const most = Math.min(cap, maxCompletionTokens, contextLength)
  return most === Infinity ? {} : { maxOutputTokens: most }
}

/** A provider may go by another name of the cap, and may think beside it. */
const widened = (cap: number, sent: ParsedChat["parameters"]): number => {
  const others = ["max_output_tokens", "max_new_tokens", "min_tokens"].map((name) => sent[name])
  return Math.max(cap, ...others.map(numberOf)) + besideCap(sent)
}

const besideCap = ({ reasoning, thinking }: ParsedChat["parameters"]): number =>
  Math.max(...[fieldOf(reasoning, "max_tokens"), fieldOf(thinking, "budget_tokens")].map(numberOf))

const fieldOf = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) ? value[name] : undefined

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0)

/** A prompt that is longer than the context of its model is refused, and costs nothing. */
export const worstCaseOf = (parsed: ParsedChat, target: Target<ChatCapability>): TokenUsage => {
  const worst = target.capability.worstCase(callOf(parsed, target))
  const { contextLength = Infinity } = target.candidate.endpoint
  return withImages(parsed, {
    ...worst,
    inputTokens: Math.min(worst.inputTokens, contextLength * requestsOf(worst))
  })
}

/** How the caller can bound the answer there; undefined: nothing that it says is sent on. */
export const capOf = (
  { maxOutputTokens, parameters }: ParsedChat,
  { candidate: { endpoint } }: Target<unknown>
): OutputCap | undefined => {
  const name = capFor(parameters, endpoint.supportedParameters)
  if (name === undefined) return undefined
  const sent = sentParameters({ parameters }, endpoint.supportedParameters)
  return {
    name,
    isSent: maxOutputTokens !== undefined,
    answers: Math.max(numberOf(sent["n"]), numberOf(sent["best_of"]), 1),
    beside: besideCap(sent)
  }
}

/** Of a provider that was asked and did not come to say: the prompt, as far as it can be told. */
export const askedOf = (parsed: ParsedChat, target: Target<ChatCapability>): TokenUsage =>
  usedUpTo(parsed, target, { inputTokens: parsed.inputTokens, pieces: 0, characters: 0 })

/** What it used until now: as its provider has `stated`, else as far as it can be told from what was said. */
export const usedOf = (
  parsed: ParsedChat,
  target: Target<ChatCapability>,
  said: Assembling,
  stated?: TokenUsage
): TokenUsage => {
  if (isStated(stated)) return withImages(parsed, stated)
  const { inputTokens } = parsed
  return usedUpTo(parsed, target, {
    inputTokens,
    pieces: said.pieces(),
    characters: said.characters()
  })
}

const usedUpTo = (parsed: ParsedChat, target: Target<ChatCapability>, said: Said): TokenUsage =>
  withImages(parsed, estimatedUsage(said, worstCaseIfKnown(parsed, target)))

/** An answer that is there is not lost because its provider's own code cannot say how long it may be. */
const worstCaseIfKnown = (
  parsed: ParsedChat,
  target: Target<ChatCapability>
): TokenUsage | undefined => {
  try {
    return worstCaseOf(parsed, target)
  } catch (defect) {
    if (defect instanceof UpstreamDefect) return undefined
    throw defect
  }
}

/** A whole answer. On shared capacity it is free where nothing was said (`isUnpaid`). */
export const servedBy = (
  parsed: ParsedChat,
  target: Target<ChatCapability>,
  reply: ChatReply,
  said: Assembling
): Served<ChatReply> => {
  const usage = usedOf(parsed, target, said, reply.usage)
  const isFree = !isByok(target.candidate) && isUnpaid({ ...reply, usage })
  const cost = isFree ? NanoUsd.zero : reply.cost
  return {
    value: reply,
    usage,
    ...(isStated(reply.usage) ? undefined : { isEstimated: true as const }),
    ...(cost === undefined ? undefined : { cost }),
    ...(reply.model === undefined ? undefined : { model: reply.model })
  }
}

/** What is no number of tokens is as if it were not said. */
export const isStated = (usage: TokenUsage | undefined): usage is TokenUsage =>
  usage !== undefined && countsOf(usage).every(Number.isSafeInteger)

const countsOf = (usage: TokenUsage): ReadonlyArray<number> => [
  usage.inputTokens,
  usage.outputTokens,
  requestsOf(usage)
]

/** The upstream counts tokens; an image that has a price of its own is counted here. */
const withImages = ({ images }: ParsedChat, usage: TokenUsage): TokenUsage =>
  images === 0 ? usage : { ...usage, images: images * requestsOf(usage) }
