/**
 * Limits the settings of a conversation to those that an endpoint is sent, by the names of parameters in the chat
 * dialect.
 */
import type { Conversation } from "../../../conversation/Conversation.ts"
import { samplingNames } from "../../../dialects/chat/parseRequest.ts"
import { outputCapNames } from "../../../dialects/chat/outputCap.ts"
import { reasoningNames } from "../../../dialects/chat/reasoningParameters.ts"
import { isEmpty } from "../../../dialects/readField.ts"

type Json = Readonly<Record<string, unknown>>
type Mutable<A> = { -readonly [K in keyof A]: A[K] }

/** The settings that a conversation does without, and the parameters that say them. */
const names = {
  answers: ["n"],
  cache: ["cache_control"],
  format: ["response_format"],
  logprobs: ["logprobs"],
  parallelCalls: ["parallel_tool_calls"],
  reasoning: reasoningNames,
  toolChoice: ["tool_choice", "function_call"],
  verbosity: ["verbosity"]
} as const satisfies Partial<Record<keyof Conversation, ReadonlyArray<string>>>

const settings = Object.keys(names) as ReadonlyArray<keyof typeof names>

/**
 * The conversation without the parameters that are missing from `sent`, because the endpoint does not support them. The
 * cap and the service tier come from `sent`, because the endpoint may sell another tier.
 */
export const limitConversation = (conversation: Conversation, sent: Json): Conversation => {
  const limited: Mutable<Conversation> = { ...conversation }
  const has = (name: string): boolean => Object.hasOwn(sent, name)
  for (const name of settings) if (!names[name].some(has)) delete limited[name]
  if (limited.logprobs !== undefined && !has("top_logprobs")) limited.logprobs = { top: 0 }
  if (!has("tools") && !has("functions")) limited.tools = []
  if (!has("stop")) limited.stop = []
  limited.sampling = limitSampling(conversation.sampling, has)
  const { service_tier: tier } = sent
  delete limited.serviceTier
  if (typeof tier === "string") limited.serviceTier = tier
  const cap = Math.min(...outputCapNames.map((name) => toNumber(sent[name])))
  delete limited.maxOutputTokens
  if (cap !== Infinity) limited.maxOutputTokens = cap
  if (limited.extra?.dialect === "chat") {
    const fields = Object.fromEntries(
      Object.entries(limited.extra.fields).filter(([name]) => has(name))
    )
    if (isEmpty(fields)) delete limited.extra
    else limited.extra = { dialect: "chat", fields }
  }
  return limited
}

const limitSampling = (
  sampling: Conversation["sampling"],
  has: (name: string) => boolean
): Conversation["sampling"] => {
  if (isEmpty(sampling)) return sampling
  const limited: Mutable<Conversation["sampling"]> = { ...sampling }
  for (const [name, written] of samplingNames) if (!has(written)) delete limited[name]
  if (!has("logit_bias")) delete limited.logitBias
  return limited
}

const toNumber = (value: unknown): number => (typeof value === "number" ? value : Infinity)
