/** The answer of a chat, complete or partial, in the record of its request. */
import type { IoContent } from "../observability/broadcast/IoLog.ts"
import type { AnswerFacts } from "../routing/record/toGeneration.ts"
import type { ChatChoice, ChatReply } from "../upstreams/ChatCapability.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"

export const toAnswerFacts = ({ choices, id, model, serviceTier }: ChatReply): AnswerFacts => {
  const finishReason = choices[0]?.finishReason ?? undefined
  const nativeFinishReason = choices[0]?.nativeFinishReason ?? finishReason
  const facts: { -readonly [K in keyof AnswerFacts]: AnswerFacts[K] } = { model }
  if (finishReason !== undefined) facts.finishReason = finishReason
  if (nativeFinishReason !== undefined) facts.nativeFinishReason = nativeFinishReason
  if (serviceTier !== undefined) facts.serviceTier = serviceTier
  if (id !== undefined) facts.upstreamId = id
  return facts
}

/** `choices` are what the caller has received, cut off when `isTruncated`. */
export const toIoContent = (
  { bytes, messages, parameters }: ParsedChat,
  choices: ReadonlyArray<ChatChoice>,
  isTruncated = false
): IoContent => ({
  bytes,
  input: { ...parameters, messages },
  ...(choices.length === 0 ? undefined : { output: choices.map(toLoggedChoice) }),
  ...(isTruncated ? { isTruncated } : undefined)
})

const toLoggedChoice = ({ finishReason, index, message }: ChatChoice) => ({
  index,
  message,
  finish_reason: finishReason
})
