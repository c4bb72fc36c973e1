/** Answers Decisions by chat. */
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import type { ChatCapability } from "../ChatCapability.ts"
import type { DecisionCall, DecisionCapability } from "../DecisionCapability.ts"
import { listOpenQuestions } from "./OpenQuestion.ts"
import { decideByChat } from "./decideByChat.ts"
import { listImages } from "./fenceState.ts"
import { toProbabilitySchema } from "./LabelWeights.ts"
import { callOverheadBytes, countFrameBytes } from "./prompts.ts"
import {
  canReadLogprobs,
  chooseBatchMethod,
  estimateDiscreteTokens,
  estimateProbabilityTokens,
  identifierTokens,
  mayReason
} from "./requests.ts"

/** How a chat answers Decisions. */
export interface ChatDecisionOptions {
  /**
   * The most input tokens of one image, for the reservation. A Decision has no other media.
   */
  readonly maxImageTokens: number
  /**
   * What an endpoint supports if the catalog does not say: of `logprobs`, `top_logprobs`, `structured_outputs`,
   * `response_format`, `max_tokens`, `max_completion_tokens`, `temperature`, `reasoning` and `reasoning_effort`. If it
   * rejects a schema, it is asked again without. A function gets the model's name at the upstream. Default, also where it
   * returns undefined: `structured_outputs` and `max_tokens`, which most support. The cap leaves room for a little
   * reasoning; a model that always reasons needs `reasoning` or `reasoning_effort`, which keep it short.
   */
  readonly assumedParameters?:
    | ReadonlyArray<string>
    | ((model: string) => ReadonlyArray<string> | undefined)
    | undefined
  /**
   * The smallest share of the model's probability, 0 to 1, that the options must have for their logprobs to count.
   * Below it the model is asked for probabilities. Default 0.5: with less than half, the model mostly wanted to say
   * something else.
   */
  readonly minLabelMass?: number | undefined
}

/**
 * Asks `chat` the questions of a Decision. The endpoint's `supportedParameters` select the method of each question:
 *
 * 1. `logprobs`, with `logprobs` and `top_logprobs`, for up to 20 options: one call per question, which numbers the
 *    options and reads their probabilities from the first token. Calls share the state as their prefix, and at most
 *    `questionConcurrency` (Settings) run at a time.
 * 2. `stated`, with `structured_outputs` or `response_format`: one call for all questions, whose reply states the
 *    probabilities. It also follows method 1 if the logprobs are missing or the options have too little of them.
 * 3. `discrete`, otherwise: one call for all questions, whose reply names the best options.
 *
 * If the supported parameters are unknown, those of `assumedParameters` are tried, and method 3 if the endpoint rejects
 * a schema.
 *
 * The `method` of a reply is the weakest that was used, and `labelMass` the smallest that was read. A question with
 * one option is not sent; a reply of such questions alone has the method `single_option`. The state is sent as data
 * between tags that it cannot close. Top-level items `{type: "image_url", image_url: {url}}` of a `state` array are
 * sent as images.
 *
 * Failures have the usage of all calls so far. Throws a `RangeError` for an option out of range.
 */
export const makeChatDecisions = (
  chat: ChatCapability,
  { assumedParameters, maxImageTokens, minLabelMass = 0.5 }: ChatDecisionOptions
): DecisionCapability => {
  if (!(minLabelMass >= 0 && minLabelMass <= 1)) {
    throw new RangeError(`minLabelMass must be between 0 and 1, got ${minLabelMass}`)
  }
  if (!Number.isSafeInteger(maxImageTokens) || maxImageTokens < 0) {
    throw new RangeError(`maxImageTokens must be a whole number, got ${maxImageTokens}`)
  }
  const { checksParameters, ignoresCredentials } = chat
  const assume = (model: string): ReadonlySet<string> => {
    const assumed =
      typeof assumedParameters === "function" ? assumedParameters(model) : assumedParameters
    return assumed === undefined ? widelySupported : new Set(assumed)
  }
  return {
    decide: (call) => decideByChat({ chat, assume, minLabelMass }, call),
    needsOneOf: ["logprobs", "structured_outputs", "response_format"],
    usesChat: true,
    ...(checksParameters === undefined ? undefined : { checksParameters }),
    ...(ignoresCredentials === undefined ? undefined : { ignoresCredentials }),
    estimateWorstCase: (call) =>
      estimateDecisionWorstCase(
        call,
        call.supportedParameters ?? assume(call.model),
        maxImageTokens
      )
  }
}

const widelySupported: ReadonlySet<string> = new Set(["structured_outputs", "max_tokens"])

/**
 * A token is at least one byte of text, so bytes bound tokens. Each call contains the Decision at most once, and our
 * own sentences. The tokens of an image do not depend on its address, so each counts as `maxImageTokens`.
 */
const estimateDecisionWorstCase = (
  call: DecisionCall,
  supported: ReadonlySet<string>,
  maxImageTokens: number
): TokenUsage => {
  const questions = listOpenQuestions(call.questions)
  if (questions.length === 0) return { inputTokens: 0, outputTokens: 0, requests: 0 }
  const byLogprobs = questions.filter((each) => canReadLogprobs(supported, each)).length
  const images = listImages(call.state)
  const imageBytes = images.reduce((sum, { image_url }) => sum + image_url.url.length, 0)
  const perCall =
    callOverheadBytes + call.contentBytes - imageBytes + images.length * maxImageTokens
  const reasons = mayReason(call, supported)
  const asksProbabilities = chooseBatchMethod(supported) === "stated"
  // A rejected schema causes one more call, without the schema.
  const repeats = call.supportedParameters === undefined ? 1 : 0
  return {
    inputTokens:
      (byLogprobs + 1 + repeats) * perCall +
      (2 + repeats) * countFrameBytes(questions) +
      (asksProbabilities ? JSON.stringify(toProbabilitySchema(questions)).length : 0),
    outputTokens:
      byLogprobs * identifierTokens +
      (asksProbabilities ? estimateProbabilityTokens(reasons, questions) : 0) +
      (asksProbabilities && repeats === 0 ? 0 : estimateDiscreteTokens(reasons, questions)),
    requests: byLogprobs + 1 + repeats
  }
}
