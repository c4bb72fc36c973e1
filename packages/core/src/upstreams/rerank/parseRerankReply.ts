/** Parses an untrusted answer to a rerank, in the form of Cohere, Jina, OpenRouter or Voyage. */
import * as Result from "effect/Result"
import { isObject } from "../../values/json/isObject.ts"
import { findEmbeddedFailure } from "../failures/findEmbeddedFailure.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import type { CostParser } from "../openaiChat/parseChatUsage.ts"
import type { RerankReply, RerankResult } from "../RerankCapability.ts"

/**
 * Results are in `results` or `data`. Their documents are not read: the core takes those of the request. Usage is tokens
 * (`usage.total_tokens`), search units (`usage.search_units` or `meta.billed_units.search_units`), or both.
 */
export const parseRerankReply = (
  json: unknown,
  parseCost?: CostParser
): Result.Result<RerankReply, UpstreamFailure> => {
  if (!isObject(json)) return Result.fail(toInvalidAnswer("the answer is not a JSON object"))
  const report = parseUsage(json, parseCost)
  const inside = findEmbeddedFailure(json, report.usage)
  if (inside !== undefined) return Result.fail(inside)
  const { data, id, model, results: found = data } = json
  if (!Array.isArray(found)) {
    return Result.fail(toInvalidAnswer("the answer holds no results", report.usage))
  }
  const results: Array<RerankResult> = []
  for (const [position, each] of (found as ReadonlyArray<unknown>).entries()) {
    const result = parseResult(each)
    if (result === undefined) {
      return Result.fail(toInvalidAnswer(`result ${position} has no index or score`, report.usage))
    }
    results.push(result)
  }
  return Result.succeed({
    results,
    ...report,
    ...(isShortText(id) ? { id } : undefined),
    ...(isShortText(model) ? { model } : undefined)
  })
}

const parseResult = (item: unknown): RerankResult | undefined => {
  if (!isObject(item)) return undefined
  const { index, relevance_score: score } = item
  return typeof index === "number" && typeof score === "number" ? { index, score } : undefined
}

const parseUsage = (
  { meta, usage: given }: Readonly<Record<string, unknown>>,
  parseCost: CostParser | undefined
): Pick<RerankReply, "cost" | "searchUnits" | "usage"> => {
  const usage = isObject(given) ? given : {}
  const billed = isObject(meta) ? meta["billed_units"] : undefined
  const units = usage["search_units"] ?? (isObject(billed) ? billed["search_units"] : undefined)
  const searchUnits = isCount(units) ? units : undefined
  const { total_tokens: tokens } = usage
  const cost = parseCost?.(usage)
  if (searchUnits === undefined && !isCount(tokens)) return cost === undefined ? {} : { cost }
  return {
    usage: {
      inputTokens: isCount(tokens) ? tokens : 0,
      outputTokens: 0,
      ...(searchUnits === undefined ? undefined : { requests: searchUnits })
    },
    ...(searchUnits === undefined ? undefined : { searchUnits }),
    ...(cost === undefined ? undefined : { cost })
  }
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0

/** Bounded, because it is shown to callers and stored. */
const isShortText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= 256

const toInvalidAnswer = (detail: string, usage?: RerankReply["usage"]): UpstreamFailure =>
  new UpstreamFailure({
    kind: "invalid_answer",
    detail,
    ...(usage === undefined ? undefined : { usage })
  })
