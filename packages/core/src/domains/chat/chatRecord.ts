/** The answer of a chat, complete or partial, in the record of its request. */
import type * as Effect from "effect/Effect"
import { writeChatMessage } from "../../dialects/chat/writeAnswer.ts"
import type { IoContent } from "../../engine/observability/broadcast/Sink.ts"
import { withTrace } from "../../engine/observability/tracing/traceContext.ts"
import type { ChatChoice, ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import type { AnswerFacts } from "../../routing/record/toGeneration.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"

export const toAnswerFacts = ({ choices, id, model, serviceTier }: ChatReply): AnswerFacts => {
  const end = choices[0]?.answer.end
  const finishReason = end?.reason ?? undefined
  const nativeFinishReason = end?.nativeReason ?? finishReason
  const facts: { -readonly [K in keyof AnswerFacts]: AnswerFacts[K] } = { model }
  if (finishReason !== undefined) facts.finishReason = finishReason
  if (nativeFinishReason !== undefined) facts.nativeFinishReason = nativeFinishReason
  if (serviceTier !== undefined) facts.serviceTier = serviceTier
  if (id !== undefined) facts.upstreamId = id
  return facts
}

/** `choices` are what the caller has received, cut off when `isTruncated`. */
export const toIoContent = (
  { bytes, parameters, said }: ParsedChat,
  choices: ReadonlyArray<ChatChoice>,
  isTruncated = false
): IoContent => ({
  bytes,
  input: { ...parameters, messages: said.toMessages() },
  ...(choices.length === 0 ? undefined : { output: choices.map(toLoggedChoice) }),
  ...(isTruncated ? { isTruncated } : undefined)
})

const toLoggedChoice = ({ answer, index, native }: ChatChoice) => ({
  index,
  message: native ?? writeChatMessage(answer),
  finish_reason: answer.end.reason
})

/** Runs a chat in a span of its trace. */
export const traceChat = <A, E>(
  { request }: ParsedChat,
  observer: RouteObserver | undefined,
  run: () => Effect.Effect<A, E>
): Effect.Effect<A, E> => withTrace(run, request.trace, "chat", observer)
