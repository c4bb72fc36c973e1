/** Reranks documents at one endpoint. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as HttpClient from "effect/http/HttpClient"
import type {
  RerankCall,
  RerankCapability,
  RerankReply,
  RerankResult
} from "../../engine/upstreams/RerankCapability.ts"
import { UpstreamDefect, UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { AttemptSuccess, RouteTarget, RouteWork } from "../../routing/RouteWork.ts"
import { selectSupported } from "../../routing/selectSupported.ts"
import * as Step from "../../values/Step.ts"
import { isValidUsage, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { ParsedRerank } from "./parseRerankRequest.ts"

type Target = RouteTarget<RerankCapability>

/** A checked answer, best first. */
export interface RankedReply {
  readonly results: ReadonlyArray<RerankResult>
  readonly reply: RerankReply
}

export const makeRerankWork = (
  parsed: ParsedRerank
): RouteWork<RerankCapability, RankedReply, HttpClient.HttpClient> => ({
  getWorstCase: (target) =>
    addImages(parsed, target.capability.estimateWorstCase(toRerankCall(parsed, target))),
  getUnreportedUsage: (target) => estimateUsage(parsed, target),
  run: (target) =>
    Step.flatMap(target.capability.rerank(toRerankCall(parsed, target)), (reply) =>
      Effect.fromResult(checkReply(parsed, target, reply))
    )
})

const toRerankCall = (
  { items, parameters, request, topN }: ParsedRerank,
  { candidate: { endpoint }, credential }: Target
): RerankCall => ({
  model: endpoint.upstreamModel,
  query: request.query,
  documents: items,
  topN,
  parameters: selectSupported(parameters, endpoint.supportedParameters),
  ...(credential === undefined ? undefined : { credential })
})

const checkReply = (
  parsed: ParsedRerank,
  target: Target,
  reply: RerankReply
): Result.Result<AttemptSuccess<RankedReply>, UpstreamFailure> => {
  const isReported = isValidUsage(reply.usage)
  const ranked = rankResults(reply.results, {
    documents: parsed.items.length,
    topN: parsed.topN
  })
  if (Result.isFailure(ranked)) {
    const usage = isReported ? { usage: reply.usage } : undefined
    return Result.fail(
      new UpstreamFailure({ kind: "invalid_answer", detail: ranked.failure, ...usage })
    )
  }
  return Result.succeed({
    value: { results: ranked.success, reply },
    usage: isReported ? addImages(parsed, reply.usage) : estimateUsage(parsed, target),
    ...(isReported ? undefined : { isEstimated: true }),
    ...(reply.cost === undefined ? undefined : { cost: reply.cost }),
    ...(reply.model === undefined ? undefined : { model: reply.model })
  })
}

/** At most the worst case, which is the reserved amount. */
const estimateUsage = (parsed: ParsedRerank, target: Target): TokenUsage =>
  addImages(parsed, {
    inputTokens: Math.min(
      parsed.inputTokens,
      findWorstCase(parsed, target)?.inputTokens ?? Infinity
    ),
    outputTokens: 0
  })

/** A defect in the provider's estimate must not cost the caller an answer that exists. */
const findWorstCase = (parsed: ParsedRerank, target: Target): TokenUsage | undefined => {
  try {
    return target.capability.estimateWorstCase(toRerankCall(parsed, target))
  } catch (defect) {
    if (defect instanceof UpstreamDefect) return undefined
    throw defect
  }
}

/** Upstreams count tokens; images with a price of their own are counted here. */
const addImages = ({ images }: ParsedRerank, usage: TokenUsage): TokenUsage =>
  images === 0 ? usage : { ...usage, images }

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
