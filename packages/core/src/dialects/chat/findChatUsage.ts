/** Finds the usage in an answer of OpenAI's dialect, or in a chunk of one: servers put it in several places. */
import { isObject, toList } from "../../values/json/guards.ts"
import { parseCount } from "../../values/usage/TokenUsage.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * Finds `usage` itself, else the usage in `x_groq` (https://console.groq.com/docs/api-reference), in a choice, as
 * Moonshot streams it (https://platform.kimi.ai/docs/api/chat), or the `timings` of llama.cpp, whose prompt excludes
 * cached tokens (https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md).
 */
export const findChatUsage = (json: Json): Json | undefined => {
  const { choices, timings, usage, x_groq: groq } = json
  if (isObject(usage)) return usage
  if (isObject(groq) && isObject(groq["usage"])) return groq["usage"]
  for (const choice of toList(choices)) {
    if (isObject(choice) && isObject(choice["usage"])) return choice["usage"]
  }
  return isObject(timings) ? fromTimings(timings) : undefined
}

const fromTimings = (timings: Json): Json | undefined => {
  const processed = parseCount(timings["prompt_n"])
  const predicted = parseCount(timings["predicted_n"])
  if (processed === undefined || predicted === undefined) return undefined
  const cached = parseCount(timings["cache_n"]) ?? 0
  return {
    prompt_tokens: processed + cached,
    completion_tokens: predicted,
    ...(cached === 0 ? undefined : { cached_tokens: cached })
  }
}
