/** Builds the chat calls of each method, and limits their output tokens. */
import type { ChatCall, ChatMessage } from "../ChatCapability.ts"
import type { DecisionCall } from "../DecisionCapability.ts"
import type { FencedState } from "./fenceState.ts"
import { listIdentifiers, maxTopLogprobs } from "./LabelWeights.ts"
import type { OpenQuestion } from "./OpenQuestion.ts"
import { toProbabilitySchema } from "./parseProbabilityWeights.ts"
import {
  callOverheadBytes,
  countFrameBytes,
  toDiscretePrompt,
  toIdentifierPrompt,
  toProbabilityPrompt,
  toSystemPrompt
} from "./prompts.ts"

/** A call with its state, fenced once for all requests. */
export interface PreparedCall {
  readonly call: DecisionCall
  /** The parameters that the endpoint supports, or is assumed to support. */
  readonly supported: ReadonlySet<string>
  readonly state: FencedState
  /** The rules about the state. */
  readonly rules: ChatMessage
}

/** `state` is that of `call`. */
export const prepareCall = (
  call: DecisionCall,
  supported: ReadonlySet<string>,
  state: FencedState
): PreparedCall => ({
  call,
  supported,
  state,
  rules: { role: "system", content: toSystemPrompt(state.tag) }
})

/** Whether the endpoint can answer this question by logprobs: each option needs a token of its own. */
export const canReadLogprobs = (
  supported: ReadonlySet<string>,
  { options }: OpenQuestion
): boolean =>
  supported.has("logprobs") && supported.has("top_logprobs") && options.length <= maxTopLogprobs

/** The method for questions that logprobs cannot answer. */
export const chooseBatchMethod = (supported: ReadonlySet<string>): "stated" | "discrete" =>
  supported.has("structured_outputs") || supported.has("response_format") ? "stated" : "discrete"

/** Asks for one identifier and the logprobs of its alternatives. */
export const toIdentifierCall = (prepared: PreparedCall, question: OpenQuestion): ChatCall => {
  const prompt = toIdentifierPrompt(question, listIdentifiers(question.options.length))
  return toChatCall(prepared, [question], prompt, identifierTokens, {
    temperature: 0,
    logprobs: true,
    top_logprobs: maxTopLogprobs,
    ...toReasoning(prepared.supported, "none")
  })
}

/** Asks for probabilities of all options, with a schema if the endpoint supports it. */
export const toProbabilityCall = (
  prepared: PreparedCall,
  questions: ReadonlyArray<OpenQuestion>
): ChatCall => {
  const { call, supported } = prepared
  const tokens = estimateProbabilityTokens(mayReason(call, supported), questions)
  return toChatCall(prepared, questions, toProbabilityPrompt(questions), tokens, {
    response_format: supported.has("structured_outputs")
      ? {
          type: "json_schema",
          json_schema: { name: "answers", strict: true, schema: toProbabilitySchema(questions) }
        }
      : { type: "json_object" },
    ...toBatchParameters(supported)
  })
}

/** Asks for the number of the best option of each question in plain text. */
export const toDiscreteCall = (
  prepared: PreparedCall,
  questions: ReadonlyArray<OpenQuestion>
): ChatCall => {
  const { call, supported } = prepared
  const tokens = estimateDiscreteTokens(mayReason(call, supported), questions)
  const prompt = toDiscretePrompt(questions)
  return toChatCall(prepared, questions, prompt, tokens, { ...toBatchParameters(supported) })
}

/** Only the first token is read, but some providers reject a limit below 16. */
export const identifierTokens = 16

/** A number of 17 digits and its key, for each option. */
export const estimateProbabilityTokens = (
  reasons: boolean,
  questions: ReadonlyArray<OpenQuestion>
): number =>
  estimateReplyTokens(reasons) +
  questions.reduce((sum, { options }) => sum + 16 + 24 * options.length, 0)

/** A key and an option number for each question. */
export const estimateDiscreteTokens = (
  reasons: boolean,
  questions: ReadonlyArray<OpenQuestion>
): number => estimateReplyTokens(reasons) + 16 * questions.length

/** Room for a sentence around the JSON and for a little reasoning. */
const estimateReplyTokens = (reasons: boolean): number => 256 + (reasons ? 2_048 : 0)

/** Whether the model may reason, for all that is known. Many do unasked, and reasoning counts toward the limit. */
export const mayReason = (
  { supportedParameters }: Pick<DecisionCall, "supportedParameters">,
  supported: ReadonlySet<string>
): boolean =>
  supportedParameters === undefined ||
  supported.has("reasoning") ||
  supported.has("reasoning_effort")

/** Adds what all methods have in common to the parameters of one. */
const toChatCall = (
  { call, rules, state, supported }: PreparedCall,
  questions: ReadonlyArray<OpenQuestion>,
  prompt: string,
  maxOutputTokens: number,
  parameters: Record<string, unknown>
): ChatCall => {
  const { credential, model, serviceTier } = call
  const limit = supported.has("max_completion_tokens") ? "max_completion_tokens" : "max_tokens"
  parameters[limit] = maxOutputTokens
  if (serviceTier !== undefined) parameters["service_tier"] = serviceTier
  const chatCall = {
    model,
    messages: [rules, { role: "user", content: state.withPrompt(prompt) }],
    parameters,
    maxOutputTokens,
    // Most chats do not ask, and measuring a large state is slow.
    get contentBytes() {
      const ours = callOverheadBytes + countFrameBytes(questions)
      return ours + call.contentBytes + JSON.stringify(parameters).length
    }
  }
  return credential === undefined ? chatCall : Object.assign(chatCall, { credential })
}

/** Long reasoning narrows the distributions that a model states. Every reasoning model accepts `low`. */
const toBatchParameters = (supported: ReadonlySet<string>): object => ({
  ...(supported.has("temperature") ? { temperature: 0 } : undefined),
  ...toReasoning(supported, "low")
})

/** `reasoning` is the newer name; endpoints reject both together if they differ. */
const toReasoning = (
  supported: ReadonlySet<string>,
  effort: "none" | "low"
): object | undefined => {
  if (supported.has("reasoning")) return { reasoning: { effort } }
  return supported.has("reasoning_effort") ? { reasoning_effort: effort } : undefined
}
