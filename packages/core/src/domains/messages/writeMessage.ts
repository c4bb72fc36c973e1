/** Writes a whole answer as a message of Anthropic's API. */
import type { ChatAnswer, ChatEnd } from "../chat/ChatAnswer.ts"
import type { ReportedUsage } from "../chat/toReportedUsage.ts"
import { toTokenNames } from "../../dialects/toTokenNames.ts"
import type { UsageFacts } from "../../dialects/AnswerFacts.ts"
import { writeMessagesAnswer, writeMessagesUsage } from "../../dialects/messages/writeAnswer.ts"
import { isObject } from "../../values/json/guards.ts"
import { setOwn } from "../../values/ownFields.ts"
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
      ? { ...writeMessagesAnswer(reply, { ...facts, id, model, tools, created: 0 }), provider }
      : { ...native, id, model, usage: writeUsage(facts, native["usage"]), provider }
  // Safe: both have every field of a message; content is passed through unchecked.
  return message as unknown as Message
}

/** The usage and cost of all attempts. */
export const toUsageFacts = (
  { tokens, upstreamCost, usage: { cost, is_byok = false, reported } }: ChatEnd,
  serviceTier: string | undefined
): UsageFacts => ({
  ...(tokens === undefined ? undefined : { usage: tokens }),
  usageFields: {
    ...(cost === undefined ? undefined : { cost }),
    is_byok,
    ...(reported === undefined ? undefined : { reported: toReported(reported) }),
    ...(upstreamCost === undefined
      ? undefined
      : { cost_details: { upstream_inference_cost: upstreamCost } })
  },
  ...(serviceTier === undefined ? undefined : { serviceTier })
})

/**
 * The provider's details stay when it speaks this API and they cover the whole request, not when attempts were summed.
 * In an implausible report only the capped count is replaced.
 */
export const writeUsage = (facts: UsageFacts, native: unknown): Json => {
  // Adds the missing fields to our object: a copy of the provider's usage would grow field by field, which makes more
  // garbage.
  const usage = writeMessagesUsage(facts)
  if (!isObject(native)) return usage
  if (usage["reported"] === undefined && !hasSameCounts(usage, native)) return usage
  const searches = usage["server_tool_use"]
  for (const name in native) {
    if (!Object.hasOwn(usage, name) || usage[name] === null) setOwn(usage, name, native[name])
  }
  // Only the provider knows what it fetched.
  if (isObject(native["server_tool_use"])) {
    usage["server_tool_use"] = { ...toObject(searches), ...native["server_tool_use"] }
  }
  return usage
}

/** The input of this API excludes cached tokens. */
const toReported = (reported: ReportedUsage): Json => {
  const named = toTokenNames(reported)
  const { prompt_tokens: input, prompt_tokens_details: details = {} } = reported
  if (input === undefined) return named
  const { cache_write_tokens: written = 0, cached_tokens: read = 0 } = details
  return { ...named, input_tokens: Math.max(0, input - read - written) }
}

const toObject = (value: unknown): Json => (isObject(value) ? value : {})

const hasSameCounts = (usage: Json, native: Json): boolean =>
  countedFields.every((name) => (usage[name] ?? 0) === (native[name] ?? 0))

const countedFields: ReadonlyArray<string> = [
  "input_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "output_tokens"
]
