/** The highest possible usage of a Decision, including every fallback to another method. */
import type { TokenUsage } from "@signalbox/core/upstream"
import type { OpenQuestion } from "./OpenQuestion.ts"
import { listImages } from "./fenceState.ts"
import type { ResolvedCall } from "./ResolvedCall.ts"
import { callOverheadBytes, optionOverheadBytes, questionOverheadBytes } from "./prompts.ts"
import {
  estimateDiscreteTokens,
  identifierTokens,
  chooseBatchMethod,
  canReadLogprobs,
  estimateProbabilityTokens
} from "./requests.ts"
import { toProbabilitySchema } from "./parseProbabilityWeights.ts"

/**
 * A token is at least one byte of text, so bytes bound tokens. Each call contains the Decision at most once, and our
 * own sentences. The tokens of an image do not depend on its address, so each counts as `maxImageTokens`.
 */
export const estimateWorstCase = (
  call: ResolvedCall,
  questions: ReadonlyArray<OpenQuestion>,
  maxImageTokens: number
): TokenUsage => {
  if (questions.length === 0) return { inputTokens: 0, outputTokens: 0, requests: 0 }
  const byLogprobs = questions.filter((each) => canReadLogprobs(call, each)).length
  const images = listImages(call.state)
  const imageBytes = images.reduce((sum, { image_url }) => sum + image_url.url.length, 0)
  const perCall =
    callOverheadBytes + call.contentBytes - imageBytes + images.length * maxImageTokens
  const frames = questions.reduce(
    (sum, { options }) => sum + questionOverheadBytes + options.length * optionOverheadBytes,
    0
  )
  const asksProbabilities = chooseBatchMethod(call) === "stated"
  // A rejected schema causes one more call, without the schema.
  const repeats = call.isAssumed === true ? 1 : 0
  return {
    inputTokens:
      (byLogprobs + 1 + repeats) * perCall +
      (2 + repeats) * frames +
      (asksProbabilities ? JSON.stringify(toProbabilitySchema(questions)).length : 0),
    outputTokens:
      byLogprobs * identifierTokens +
      (asksProbabilities ? estimateProbabilityTokens(call, questions) : 0) +
      (asksProbabilities && repeats === 0 ? 0 : estimateDiscreteTokens(call, questions)),
    requests: byLogprobs + 1 + repeats
  }
}
