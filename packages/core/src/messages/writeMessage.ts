/** Writes a whole answer as a message of Anthropic's API. */
import type { ChatAnswer, ChatEnd } from "../chat/ChatAnswer.ts"
import type { UsageFacts } from "../dialects/AnswerFacts.ts"
import { writeMessagesAnswer } from "../dialects/messages/writeMessagesAnswer.ts"
import { writeMessagesUsage } from "../dialects/messages/writeMessagesUsage.ts"
import { isObject } from "../values/json/isObject.ts"
import type { Message } from "./Message.ts"
import type { MessagesChat } from "./parseMessagesChat.ts"

type Json = Readonly<Record<string, unknown>>

/** The provider's own message, when it speaks this API, with the id, model and usage of the router. */
export const writeMessage = (
  answer: ChatAnswer,
  { tools }: Pick<MessagesChat, "tools">
): Message => {
  const { id, model, provider, reply } = answer
  const facts = toUsageFacts(answer, reply.serviceTier)
  const { native } = reply
  const message: Json =
    native === undefined
      ? writeMessagesAnswer(reply, { ...facts, id, model, tools, created: 0 })
      : { ...native, id, model, usage: writeUsage(facts, native["usage"]) }
  // Safe: both have every field of a message; content is passed through unchecked.
  return { ...message, provider } as unknown as Message
}

/** The usage and cost of all attempts. */
export const toUsageFacts = (
  { tokens, upstreamCost, usage: { cost, is_byok = false } }: ChatEnd,
  serviceTier: string | undefined
): UsageFacts => ({
  ...(tokens === undefined ? undefined : { usage: tokens }),
  usageFields: {
    ...(cost === undefined ? undefined : { cost }),
    is_byok,
    ...(upstreamCost === undefined
      ? undefined
      : { cost_details: { upstream_inference_cost: upstreamCost } })
  },
  ...(serviceTier === undefined ? undefined : { serviceTier })
})

/**
 * The details of a provider that speaks this API stay when they are those of the whole request: not when attempts were
 * summed, or an implausible count was capped.
 */
export const writeUsage = (facts: UsageFacts, native: unknown): Json => {
  const usage = writeMessagesUsage(facts)
  if (!isObject(native) || !hasSameCounts(usage, native)) return usage
  const merged: Record<string, unknown> = { ...native }
  for (const name of Object.keys(usage)) {
    const value = usage[name]
    if (value !== null || !Object.hasOwn(native, name)) merged[name] = value
  }
  return merged
}

const hasSameCounts = (usage: Json, native: Json): boolean =>
  countedFields.every((name) => (usage[name] ?? 0) === (native[name] ?? 0))

const countedFields: ReadonlyArray<string> = [
  "input_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "output_tokens"
]
