/** Builds the request bodies of each method, and limits their output tokens. */
import type { OpenQuestion } from "./OpenQuestion.ts"
import type { FencedState } from "./fenceState.ts"
import type { ResolvedCall } from "./ResolvedCall.ts"
import { listIdentifiers, maxTopLogprobs } from "./LabelWeights.ts"
import {
  toDiscretePrompt,
  toIdentifierPrompt,
  toProbabilityPrompt,
  toSystemPrompt
} from "./prompts.ts"
import { toProbabilitySchema } from "./parseProbabilityWeights.ts"

/** A call with its state, fenced once for all requests. */
export interface PreparedCall {
  readonly call: ResolvedCall
  readonly state: FencedState
}

/** Whether the endpoint can answer this question by logprobs: each option needs a token of its own. */
export const canReadLogprobs = (
  { supportedParameters }: ResolvedCall,
  { options }: OpenQuestion
): boolean =>
  supportedParameters.has("logprobs") &&
  supportedParameters.has("top_logprobs") &&
  options.length <= maxTopLogprobs

/** The method for questions that logprobs cannot answer. */
export const chooseBatchMethod = ({ supportedParameters }: ResolvedCall): "stated" | "discrete" =>
  supportedParameters.has("structured_outputs") || supportedParameters.has("response_format")
    ? "stated"
    : "discrete"

/** Asks for one identifier and the logprobs of its alternatives. */
export const toIdentifierRequest = (prepared: PreparedCall, question: OpenQuestion): object => ({
  ...toChatBody(prepared, toIdentifierPrompt(question, listIdentifiers(question.options.length))),
  ...toTokenLimit(prepared.call, identifierTokens),
  ...toReasoning(prepared.call, "none"),
  temperature: 0,
  logprobs: true,
  top_logprobs: maxTopLogprobs
})

/** Asks for probabilities of all options, with a schema if the endpoint supports it. */
export const toProbabilityRequest = (
  prepared: PreparedCall,
  questions: ReadonlyArray<OpenQuestion>
): object => ({
  ...toBatchBody(prepared, toProbabilityPrompt(questions)),
  ...toTokenLimit(prepared.call, estimateProbabilityTokens(prepared.call, questions)),
  response_format: prepared.call.supportedParameters.has("structured_outputs")
    ? {
        type: "json_schema",
        json_schema: { name: "answers", strict: true, schema: toProbabilitySchema(questions) }
      }
    : { type: "json_object" }
})

/** Asks for the number of the best option of each question in plain text. */
export const toDiscreteRequest = (
  prepared: PreparedCall,
  questions: ReadonlyArray<OpenQuestion>
): object => ({
  ...toBatchBody(prepared, toDiscretePrompt(questions)),
  ...toTokenLimit(prepared.call, estimateDiscreteTokens(prepared.call, questions))
})

/** Only the first token is read, but some providers reject a limit below 16. */
export const identifierTokens = 16

/** A number of 17 digits and its key, for each option. */
export const estimateProbabilityTokens = (
  call: ResolvedCall,
  questions: ReadonlyArray<OpenQuestion>
): number =>
  estimateReplyTokens(call) +
  questions.reduce((sum, { options }) => sum + 16 + 24 * options.length, 0)

/** A key and an option number for each question. */
export const estimateDiscreteTokens = (
  call: ResolvedCall,
  questions: ReadonlyArray<OpenQuestion>
): number => estimateReplyTokens(call) + 16 * questions.length

/** Room for a sentence around the JSON and for a little reasoning. */
const estimateReplyTokens = (call: ResolvedCall): number => 256 + (canReason(call) ? 2_048 : 0)

const canReason = ({ supportedParameters }: ResolvedCall): boolean =>
  supportedParameters.has("reasoning") || supportedParameters.has("reasoning_effort")

const toChatBody = ({ call, state }: PreparedCall, prompt: string): object => ({
  model: call.model,
  ...(call.serviceTier === undefined ? undefined : { service_tier: call.serviceTier }),
  messages: [
    { role: "system", content: toSystemPrompt(state.tag) },
    { role: "user", content: state.withPrompt(prompt) }
  ]
})

/** Long reasoning narrows the distributions that a model states. Every reasoning model accepts `low`. */
const toBatchBody = (prepared: PreparedCall, prompt: string): object => ({
  ...toChatBody(prepared, prompt),
  ...toReasoning(prepared.call, "low"),
  ...(prepared.call.supportedParameters.has("temperature") ? { temperature: 0 } : undefined)
})

const toTokenLimit = ({ supportedParameters }: ResolvedCall, tokens: number): object =>
  supportedParameters.has("max_completion_tokens")
    ? { max_completion_tokens: tokens }
    : { max_tokens: tokens }

/** `reasoning` is the newer name; endpoints reject both together if they differ. */
const toReasoning = ({ supportedParameters }: ResolvedCall, effort: "none" | "low"): object => {
  if (supportedParameters.has("reasoning")) return { reasoning: { effort } }
  return supportedParameters.has("reasoning_effort") ? { reasoning_effort: effort } : {}
}
