/** Builds the chat calls of each method, and limits their output tokens. */
import * as Result from "effect/Result"
import type { Conversation } from "../../../conversation/Conversation.ts"
import { parseMediaUrl } from "../../../conversation/parseMediaUrl.ts"
import type { Part } from "../../../conversation/Part.ts"
import type { ChatCall } from "../ChatCapability.ts"
import type { DecisionCall } from "../DecisionCapability.ts"
import type { FencedState, ImagePart, TextPart } from "./fenceState.ts"
import { listIdentifiers, maxTopLogprobs, toProbabilitySchema } from "./LabelWeights.ts"
import type { OpenQuestion } from "./OpenQuestion.ts"
import { findChatFacts } from "../openaiChat/chatFacts.ts"
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
  readonly rules: string
}

/** `state` is the state of `call`. */
export const prepareCall = (
  call: DecisionCall,
  supported: ReadonlySet<string>,
  state: FencedState
): PreparedCall => ({
  call,
  supported,
  state,
  rules: toSystemPrompt(state.tag)
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
    isGreedy: true,
    hasLogprobs: true,
    effort: "none"
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
    ...toBatchSettings(supported),
    format: supported.has("structured_outputs")
      ? { type: "schema", name: "answers", strict: true, schema: toProbabilitySchema(questions) }
      : { type: "json" }
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
  return toChatCall(prepared, questions, prompt, tokens, toBatchSettings(supported))
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

/** How a method wants its answer. */
interface AnswerSettings {
  /** Whether the most likely token is taken each time. */
  readonly isGreedy: boolean
  /** Whether the answer has the probabilities of the alternatives of each token. */
  readonly hasLogprobs?: true
  readonly format?: Extract<Conversation["format"], { readonly type: "json" | "schema" }>
  readonly effort: "low" | "none"
}

/** Adds what all methods have in common to the settings of one. */
const toChatCall = (
  prepared: PreparedCall,
  questions: ReadonlyArray<OpenQuestion>,
  prompt: string,
  maxOutputTokens: number,
  settings: AnswerSettings
): ChatCall => {
  const { call, rules, state, supported } = prepared
  const { credential, model, serviceTier } = call
  const content = state.withPrompt(prompt)
  const parameters = toParameters(prepared, maxOutputTokens, settings)
  const messages = [
    { role: "system", content: rules },
    { role: "user", content }
  ]
  const body = { ...parameters, messages }
  return {
    model,
    native: { dialect: "chat", body },
    // Only providers of another dialect ask.
    get conversation() {
      const said = toConversation(rules, content, prepared, maxOutputTokens, settings)
      return Result.succeed(said)
    },
    get facts() {
      return findChatFacts(body)
    },
    // The parameters have been chosen by it.
    supportedParameters: supported,
    maxOutputTokens,
    // Most chats do not ask, and measuring a large state is slow.
    get contentBytes() {
      const ours = callOverheadBytes + countFrameBytes(questions)
      return ours + call.contentBytes + JSON.stringify(parameters).length
    },
    ...(serviceTier === undefined ? undefined : { serviceTier }),
    ...(credential === undefined ? undefined : { credential })
  }
}

/** The parameters by their names in the chat dialect. */
const toParameters = (
  { call: { serviceTier }, supported }: PreparedCall,
  maxOutputTokens: number,
  { effort, format, hasLogprobs, isGreedy }: AnswerSettings
): Readonly<Record<string, unknown>> => ({
  ...(isGreedy ? { temperature: 0 } : undefined),
  ...(hasLogprobs === true ? { logprobs: true, top_logprobs: maxTopLogprobs } : undefined),
  ...(format === undefined ? undefined : { response_format: writeFormat(format) }),
  ...toReasoning(supported, effort),
  [supported.has("max_completion_tokens") ? "max_completion_tokens" : "max_tokens"]:
    maxOutputTokens,
  ...(serviceTier === undefined ? undefined : { service_tier: serviceTier })
})

const writeFormat = (format: NonNullable<AnswerSettings["format"]>): object => {
  if (format.type === "json") return { type: "json_object" }
  const { type: _, ...described } = format
  return { type: "json_schema", json_schema: described }
}

const toConversation = (
  rules: string,
  content: ReturnType<FencedState["withPrompt"]>,
  { call: { serviceTier }, supported }: PreparedCall,
  maxOutputTokens: number,
  { effort, format, hasLogprobs, isGreedy }: AnswerSettings
): Conversation => ({
  turns: [
    { role: "system", parts: [{ type: "text", text: rules }] },
    {
      role: "user",
      parts: typeof content === "string" ? [{ type: "text", text: content }] : content.map(toPart)
    }
  ],
  tools: [],
  sampling: isGreedy ? { temperature: 0 } : {},
  stop: [],
  maxOutputTokens,
  ...(hasLogprobs === true ? { logprobs: { top: maxTopLogprobs } } : undefined),
  ...(format === undefined ? undefined : { format }),
  ...(toReasoning(supported, effort) === undefined ? undefined : { reasoning: { effort } }),
  ...(serviceTier === undefined ? undefined : { serviceTier })
})

const toPart = (part: ImagePart | TextPart): Part =>
  part.type === "text" ? part : { type: "image", source: parseMediaUrl(part.image_url.url) }

/** Long reasoning narrows the distributions that a model states. Every reasoning model accepts `low`. */
const toBatchSettings = (supported: ReadonlySet<string>): AnswerSettings => ({
  isGreedy: supported.has("temperature"),
  effort: "low"
})

/** `reasoning` is the newer name; endpoints reject both together if they differ. */
const toReasoning = (
  supported: ReadonlySet<string>,
  effort: AnswerSettings["effort"]
): object | undefined => {
  if (supported.has("reasoning")) return { reasoning: { effort } }
  return supported.has("reasoning_effort") ? { reasoning_effort: effort } : undefined
}
