/** Requests like the recorded one, as far as its record tells; records keep no content. */
import { type Json, operations } from "../route/request.ts"
import type { RequestRecord } from "./RequestRecord.ts"

const names: Readonly<{ [operation: string]: string }> = {
  decisions: "decision",
  videos: "video"
}

/** The same models and preferences, with a placeholder for the content: what can be sent again. */
export const toSimilarRequest = ({
  models: [, ...fallbacks],
  operation,
  preferences,
  requested_model: model
}: RequestRecord): Json => ({
  model,
  ...(fallbacks.length === 0 ? undefined : { models: fallbacks }),
  ...operations[names[operation] ?? operation],
  ...(preferences === null ? undefined : { provider: preferences })
})

/** What a plan depends on besides: a prompt of the same length, and the parameters that are known. */
export const toPlanRequest = (record: RequestRecord): Json => {
  const request = toSimilarRequest(record)
  const fill = prompts[record.operation]
  const tokens = getPromptTokens(record)
  if (fill === undefined || tokens === undefined) return { ...toParameters(record), ...request }
  // The router takes four characters of a request for a token.
  const missing = Math.max(0, tokens * 4 - JSON.stringify(request).length)
  return { ...toParameters(record), ...request, ...fill(missing) }
}

/** The prompt as a provider counted it; undefined when none did, or when the operation has no single prompt. */
export const getPromptTokens = ({ attempts, operation }: RequestRecord): number | undefined => {
  const counts = attempts.flatMap(({ usage }) => usage?.tokens_prompt ?? [])
  return counts.length === 0 || prompts[operation] === undefined ? undefined : Math.max(...counts)
}

/** A text that stays below the default limit of request bodies. */
const makeText = (missing: number, most: number): string =>
  "Hello".padEnd(Math.min(5 + missing, most), ".")

/** Prompts by operation, longer than the placeholder by so many characters. */
const prompts: Readonly<{ [operation: string]: (missing: number) => Json }> = {
  chat: (missing) => ({ messages: [{ role: "user", content: makeText(missing, 4_000_000) }] }),
  decisions: (missing) => ({ state: makeText(missing, 1_000_000) }),
  embeddings: (missing) => ({ input: makeText(missing, 4_000_000) })
}

/** Records name only the parameters that an endpoint was not sent; their values do not change a plan. */
const toParameters = ({ attempts, operation }: RequestRecord): Json =>
  Object.fromEntries(
    (operation === "chat" ? attempts : [])
      .flatMap(({ dropped_parameters: dropped }) => dropped)
      .filter((name) => !checkedParameters.has(name))
      .map((name) => [name, true])
  )

/** Parameters with a value that the router checks. */
const checkedParameters: ReadonlySet<string> = new Set(["max_completion_tokens", "max_tokens"])
