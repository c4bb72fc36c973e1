/** The bodies of the calls the ladder makes, and the output tokens each of them may use. */
import type { AskedQuestion } from "./askedQuestions.ts"
import type { FencedState } from "./fencedState.ts"
import type { KnownCall } from "./knownCall.ts"
import { identifiers, maxTopLogprobs } from "./labelWeights.ts"
import { discretePrompt, identifierPrompt, statedPrompt, systemPrompt } from "./prompts.ts"
import { statedSchema } from "./statedWeights.ts"

/** A call and the state it is about, fenced once for all requests. */
export interface Prepared {
  readonly call: KnownCall
  readonly state: FencedState
}

/** Whether the endpoint can answer this question by logprobs: each option needs a token of its own. */
export const readsLogprobs = (
  { supportedParameters }: KnownCall,
  { options }: AskedQuestion
): boolean =>
  supportedParameters.has("logprobs") &&
  supportedParameters.has("top_logprobs") &&
  options.length <= maxTopLogprobs

/** How the endpoint answers what logprobs do not. */
export const listMethod = ({ supportedParameters }: KnownCall): "stated" | "discrete" =>
  supportedParameters.has("structured_outputs") || supportedParameters.has("response_format")
    ? "stated"
    : "discrete"

/** Asks for one identifier and the logprobs of its alternatives. */
export const identifierRequest = (prepared: Prepared, asked: AskedQuestion): object => ({
  ...chat(prepared, identifierPrompt(asked, identifiers(asked.options.length))),
  ...tokenLimit(prepared.call, identifierTokens),
  ...reasoning(prepared.call, "none"),
  temperature: 0,
  logprobs: true,
  top_logprobs: maxTopLogprobs
})

/** Asks for probabilities of all options, by schema where the endpoint takes one. */
export const statedRequest = (prepared: Prepared, asked: ReadonlyArray<AskedQuestion>): object => ({
  ...listed(prepared, statedPrompt(asked)),
  ...tokenLimit(prepared.call, statedTokens(prepared.call, asked)),
  response_format: prepared.call.supportedParameters.has("structured_outputs")
    ? {
        type: "json_schema",
        json_schema: { name: "answers", strict: true, schema: statedSchema(asked) }
      }
    : { type: "json_object" }
})

/** Asks for the number of the best option of each question in plain text. */
export const discreteRequest = (
  prepared: Prepared,
  asked: ReadonlyArray<AskedQuestion>
): object => ({
  ...listed(prepared, discretePrompt(asked)),
  ...tokenLimit(prepared.call, discreteTokens(prepared.call, asked))
})

/** Only the first token is read, but some providers refuse a limit below 16. */
export const identifierTokens = 16

/** A number of 17 digits and its key, for each option. */
export const statedTokens = (call: KnownCall, asked: ReadonlyArray<AskedQuestion>): number =>
  replyTokens(call) + asked.reduce((sum, { options }) => sum + 16 + 24 * options.length, 0)

/** A key and an option number for each question. */
export const discreteTokens = (call: KnownCall, asked: ReadonlyArray<AskedQuestion>): number =>
  replyTokens(call) + 16 * asked.length

/** Room for a sentence around the JSON and, where the model reasons, for a little of that. */
const replyTokens = (call: KnownCall): number => 256 + (reasons(call) ? 2_048 : 0)

const reasons = ({ supportedParameters }: KnownCall): boolean =>
  supportedParameters.has("reasoning") || supportedParameters.has("reasoning_effort")

const chat = ({ call, state }: Prepared, prompt: string): object => ({
  model: call.model,
  ...(call.serviceTier === undefined ? undefined : { service_tier: call.serviceTier }),
  messages: [
    { role: "system", content: systemPrompt(state.tag) },
    { role: "user", content: state.followedBy(prompt) }
  ]
})

/** Long reasoning narrows stated distributions (semantics C4); every reasoning model takes `low`. */
const listed = (prepared: Prepared, prompt: string): object => ({
  ...chat(prepared, prompt),
  ...reasoning(prepared.call, "low"),
  ...(prepared.call.supportedParameters.has("temperature") ? { temperature: 0 } : undefined)
})

const tokenLimit = ({ supportedParameters }: KnownCall, tokens: number): object =>
  supportedParameters.has("max_completion_tokens")
    ? { max_completion_tokens: tokens }
    : { max_tokens: tokens }

/** `reasoning` is the newer spelling; endpoints refuse both at once when they differ. */
const reasoning = ({ supportedParameters }: KnownCall, effort: "none" | "low"): object => {
  if (supportedParameters.has("reasoning")) return { reasoning: { effort } }
  return supportedParameters.has("reasoning_effort") ? { reasoning_effort: effort } : {}
}
