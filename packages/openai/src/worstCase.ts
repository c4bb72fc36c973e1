/** The most a Decision can use on the ladder, every step down included. */
import type { TokenUsage } from "@signalbox/core/upstream"
import type { AskedQuestion } from "./askedQuestions.ts"
import { imagesOf } from "./fencedState.ts"
import type { KnownCall } from "./knownCall.ts"
import { callFrameBytes, optionFrameBytes, questionFrameBytes } from "./prompts.ts"
import {
  discreteTokens,
  identifierTokens,
  listMethod,
  readsLogprobs,
  statedTokens
} from "./requests.ts"
import { statedSchema } from "./statedWeights.ts"

/**
 * A token is at least one byte of text, so bytes bound tokens: each call holds the content of the
 * Decision at most once, beside our own sentences. What an image costs does not follow from its
 * address: `maxImageTokens` stands for each.
 */
export const worstCase = (
  call: KnownCall,
  asked: ReadonlyArray<AskedQuestion>,
  maxImageTokens: number
): TokenUsage => {
  if (asked.length === 0) return { inputTokens: 0, outputTokens: 0, requests: 0 }
  const byLogprobs = asked.filter((each) => readsLogprobs(call, each)).length
  const images = imagesOf(call.state)
  const imageBytes = images.reduce((sum, { image_url }) => sum + image_url.url.length, 0)
  const perCall = callFrameBytes + call.contentBytes - imageBytes + images.length * maxImageTokens
  const frames = asked.reduce(
    (sum, { options }) => sum + questionFrameBytes + options.length * optionFrameBytes,
    0
  )
  const stated = listMethod(call) === "stated"
  // What is refused is asked for once more, without the schema.
  const repeats = call.isAssumed === true ? 1 : 0
  return {
    inputTokens:
      (byLogprobs + 1 + repeats) * perCall +
      (2 + repeats) * frames +
      (stated ? JSON.stringify(statedSchema(asked)).length : 0),
    outputTokens:
      byLogprobs * identifierTokens +
      (stated ? statedTokens(call, asked) : 0) +
      (stated && repeats === 0 ? 0 : discreteTokens(call, asked)),
    requests: byLogprobs + 1 + repeats
  }
}
