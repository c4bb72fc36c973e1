/** The most a Decision can use on the ladder, every step down included. */
import type { DecisionCall, TokenUsage } from "@signalbox/core/upstream"
import type { AskedQuestion } from "./askedQuestions.ts"
import { imagesOf } from "./fencedState.ts"
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
  call: DecisionCall,
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
  return {
    inputTokens:
      (byLogprobs + 1) * perCall +
      2 * frames +
      (stated ? JSON.stringify(statedSchema(asked)).length : 0),
    outputTokens:
      byLogprobs * identifierTokens +
      (stated ? statedTokens(call, asked) : discreteTokens(call, asked)),
    requests: byLogprobs + 1
  }
}
