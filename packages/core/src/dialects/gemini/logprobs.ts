/** Token probabilities between Google's API and the chat dialect. */
import { isObject, toList } from "../../values/json/guards.ts"
import type { Json } from "./geminiFields.ts"

/**
 * Log probabilities in the form of chat; undefined when there are none. Google does not report the bytes of a token.
 */
export const parseLogprobs = (result: unknown): Json | undefined => {
  if (!isObject(result)) return undefined
  const tops = toList(result["topCandidates"])
  const content = toList(result["chosenCandidates"]).flatMap((chosen, index) => {
    const token = parseToken(chosen)
    const top = tops[index]
    const alternatives = isObject(top) ? toList(top["candidates"]) : []
    return token === undefined
      ? []
      : [{ ...token, top_logprobs: alternatives.flatMap((each) => parseToken(each) ?? []) }]
  })
  return content.length === 0 ? undefined : { content, refusal: null }
}

const parseToken = (candidate: unknown): Json | undefined => {
  if (!isObject(candidate)) return undefined
  const { logProbability = 0, token } = candidate
  return typeof token === "string" && typeof logProbability === "number"
    ? { token, logprob: logProbability, bytes: null }
    : undefined
}

/** The fields of a candidate; none without probabilities. */
export const writeLogprobs = (logprobs: unknown): Json => {
  const content = isObject(logprobs) ? toList(logprobs["content"]).filter(isObject) : []
  if (content.length === 0) return {}
  const tops = content.map((token) => toList(token["top_logprobs"]).filter(isObject))
  return {
    logprobsResult: {
      chosenCandidates: content.map(writeToken),
      ...(tops.some((each) => each.length > 0)
        ? { topCandidates: tops.map((each) => ({ candidates: each.map(writeToken) })) }
        : undefined)
    }
  }
}

const writeToken = ({ logprob, token }: Json): Json => ({ token, logProbability: logprob })
