/** The highest possible usage of a Decision, including every fallback to another method. */
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import type { DecisionCall } from "../DecisionCapability.ts"
import { listImages } from "./fenceState.ts"
import { listOpenQuestions } from "./OpenQuestion.ts"
import { callOverheadBytes, countFrameBytes } from "./prompts.ts"
import {
  estimateDiscreteTokens,
  identifierTokens,
  chooseBatchMethod,
  canReadLogprobs,
  estimateProbabilityTokens,
  mayReason
} from "./requests.ts"
import { toProbabilitySchema } from "./parseProbabilityWeights.ts"

/**
 * A token is at least one byte of text, so bytes bound tokens. Each call contains the Decision at most once, and our
 * own sentences. The tokens of an image do not depend on its address, so each counts as `maxImageTokens`.
 */
export const estimateDecisionWorstCase = (
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
