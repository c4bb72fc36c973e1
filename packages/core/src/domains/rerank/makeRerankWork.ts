/** Reranks documents at one endpoint. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Result from "effect/Result"
import type { AttemptSuccess, RouteWork, RouteTarget } from "../../routing/RouteWork.ts"
import { selectSupported } from "../../routing/selectSupported.ts"
import type {
  RerankCall,
  RerankCapability,
  RerankReply,
  RerankResult
} from "../../engine/upstreams/RerankCapability.ts"
import { UpstreamDefect } from "../../engine/upstreams/failures/UpstreamDefect.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { type TokenUsage, isValidUsage } from "../../values/usage/TokenUsage.ts"
import type { ParsedRerank } from "./parseRerankRequest.ts"
import { rankResults } from "./rankResults.ts"
import * as Step from "../../values/Step.ts"

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
