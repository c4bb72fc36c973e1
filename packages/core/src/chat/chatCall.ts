/** A chat as it reaches one endpoint, and what an answer to it comes to. */
import * as NanoUsd from "../values/NanoUsd.ts"
import { isByok } from "../routing/Candidate.ts"
import type { Served } from "../routing/attempt.ts"
import type { Target } from "../routing/Query.ts"
import type { ChatCall, ChatCapability, ChatReply } from "../upstreams/ChatCapability.ts"
import { requestsOf, type TokenUsage } from "../values/TokenUsage.ts"
import type { Assembling } from "./Assembling.ts"
import { isUnpaid } from "./checkChatReply.ts"
import { estimatedUsage } from "./estimatedUsage.ts"
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
  { maxOutputTokens = Infinity, parameters }: ParsedChat,
  {
    contextLength = Infinity,
    maxCompletionTokens = Infinity,
    supportedParameters
  }: Target<unknown>["candidate"]["endpoint"]
): Pick<ChatCall, "maxOutputTokens"> => {
  const isSent = capFor(parameters, supportedParameters) !== undefined
  const most = Math.min(isSent ? maxOutputTokens : Infinity, maxCompletionTokens, contextLength)
  return most === Infinity ? {} : { maxOutputTokens: most }
}

export const worstCaseOf = (parsed: ParsedChat, target: Target<ChatCapability>): TokenUsage =>
  withImages(parsed, target.capability.worstCase(callOf(parsed, target)))

/** What it used until now: as its provider has `stated`, else as far as it can be told from what was said. */
export const usedOf = (
  parsed: ParsedChat,
  target: Target<ChatCapability>,
  said: Assembling,
  stated?: TokenUsage
): TokenUsage => {
  if (stated !== undefined && countsOf(stated).every(Number.isSafeInteger)) {
    return withImages(parsed, stated)
  }
  const { inputTokens } = parsed
  const seen = { inputTokens, pieces: said.pieces(), characters: said.characters() }
  const worst = target.capability.worstCase(callOf(parsed, target))
  return withImages(parsed, estimatedUsage(seen, worst))
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
    ...(cost === undefined ? undefined : { cost }),
    ...(reply.model === undefined ? undefined : { model: reply.model })
  }
}

const countsOf = (usage: TokenUsage): ReadonlyArray<number> => [
  usage.inputTokens,
  usage.outputTokens,
  requestsOf(usage)
]

/** The upstream counts tokens; an image that has a price of its own is counted here. */
const withImages = ({ images }: ParsedChat, usage: TokenUsage): TokenUsage =>
  images === 0 ? usage : { ...usage, images: images * requestsOf(usage) }
