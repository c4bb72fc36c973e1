/** The log-probabilities of a scripted message of one token. */
import { compareProbability, type ScriptedMessage, toText } from "./ScriptedMessage.ts"

/** One entry: the token, and the `top` likeliest in its place. */
export const listTokenLogprobs = (
  { pieces, probabilities }: ScriptedMessage,
  top: number
): ReadonlyArray<unknown> => {
  const candidates = compareProbability(probabilities ?? { [toText(pieces)]: 1 })
    .filter(([, probability]) => probability > 0)
    .map(([token, probability]) => ({
      token,
      logprob: Math.log(probability),
      bytes: [...Buffer.from(token)]
    }))
  return [{ ...candidates[0], top_logprobs: candidates.slice(0, top) }]
}
