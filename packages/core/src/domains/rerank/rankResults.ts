/** Checks the results of a rerank, and brings them into the order of the answer. */
import * as Result from "effect/Result"
import type { RerankResult } from "../../engine/upstreams/RerankCapability.ts"

/**
 * The `topN` most relevant, best first; of equal scores the earlier document first. Fails for invalid results: clients
 * find documents by `index`.
 */
export const rankResults = (
  results: ReadonlyArray<RerankResult>,
  { documents, topN }: { readonly documents: number; readonly topN: number }
): Result.Result<ReadonlyArray<RerankResult>, string> => {
  if (results.length < topN) return Result.fail(`${results.length} results in place of ${topN}`)
  const seen = new Set<number>()
  for (const { index, score } of results) {
    if (!Number.isSafeInteger(index) || index < 0 || index >= documents) {
      return Result.fail("a result of no document")
    }
    if (seen.has(index)) return Result.fail(`two results for document ${index}`)
    if (!Number.isFinite(score)) return Result.fail(`document ${index} has no score`)
    seen.add(index)
  }
  return Result.succeed(
    results
      .toSorted((one, other) => other.score - one.score || one.index - other.index)
      .slice(0, topN)
  )
}
