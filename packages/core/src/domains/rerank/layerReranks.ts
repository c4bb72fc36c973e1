/** The work of reranks: routes the query to an upstream, checks the results, records what happened. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { truncateText } from "../../engine/observability/generations/truncateGeneration.ts"
import {
  type RouteAttempt,
  sumAnswerCost,
  sumAttemptUsage
} from "../../routing/attempt/RouteAttempt.ts"
import type { AnswerCaching } from "../../routing/cache/AnswerCaching.ts"
import * as Preferences from "../../routing/Preferences.ts"
import { makeOneModelRoute } from "../../routing/record/makeOneModelRoute.ts"
import { RouteRecorder } from "../../routing/record/RouteRecorder.ts"
import type { AnswerFacts } from "../../routing/record/toGeneration.ts"
import type { RouteQuery } from "../../routing/RouteQuery.ts"
import type { RerankCapability, RerankReply } from "../../engine/upstreams/RerankCapability.ts"
import type { Upstream } from "../../engine/upstreams/Upstream.ts"
import * as GenerationId from "../../values/ids/GenerationId.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { makeRerankWork, type RankedReply } from "./makeRerankWork.ts"
import type { ParsedRerank } from "./parseRerankRequest.ts"
import type { Ranking } from "./Ranking.ts"
import { Reranks } from "./Reranks.ts"

export const layerReranks = Layer.effect(
  Reranks,
  Effect.suspend(() =>
    makeOneModelRoute({
      span: "rerank",
      drawId: GenerationId.drawRerankId,
      toQuery: toRerankQuery,
      makeWork: makeRerankWork,
      toAnswerFacts,
      toCaching,
      toContent: (parsed: ParsedRerank, exit) => ({
        bytes: parsed.bytes,
        input: {
          ...parsed.parameters,
          query: parsed.request.query,
          documents: parsed.items,
          top_n: parsed.topN
        },
        ...(Exit.isSuccess(exit) ? { output: toResults(parsed, exit.value.value) } : undefined)
      }),
      toAnswer: (id, parsed, { candidate, value }, attempts): Ranking => ({
        id,
        model: candidate.endpoint.model,
        provider: candidate.providerName,
        results: toResults(parsed, value),
        usage: toRankingUsage(attempts, value.reply)
      })
    })
  )
).pipe(Layer.provide(RouteRecorder.layer))

const toAnswerFacts = ({ reply: { id, model } }: RankedReply): AnswerFacts =>
  id === undefined ? { model } : { model, upstreamId: truncateText(id) }

const toCaching = ({
  items,
  parameters,
  request,
  topN
}: ParsedRerank): AnswerCaching<RankedReply> => ({
  content: { ...parameters, query: request.query, documents: items, top_n: topN },
  write: ({ reply: { model, searchUnits }, results }) =>
    JSON.stringify({
      results,
      reply: { results: [], model, ...(searchUnits === undefined ? undefined : { searchUnits: 0 }) }
    }),
  // The lines above have written it.
  replay: (written) => Effect.sync((): RankedReply => JSON.parse(written))
})

/** With the documents of the request: providers return them in different forms, or not at all. */
const toResults = ({ items }: ParsedRerank, { results }: RankedReply): Ranking["results"] =>
  results.map(({ index, score }) => ({
    index,
    relevance_score: score,
    // `rankResults` has checked the index.
    document: items[index]!
  }))

/** The sum over all attempts. A provider that bills search units may count no tokens. */
const toRankingUsage = (
  attempts: ReadonlyArray<RouteAttempt>,
  { searchUnits }: RerankReply
): Ranking["usage"] => {
  const { inputTokens = 0 } = sumAttemptUsage(attempts) ?? {}
  const cost = sumAnswerCost(attempts)
  return {
    ...(searchUnits === undefined ? undefined : { search_units: searchUnits }),
    ...(searchUnits !== undefined && inputTokens === 0 ? undefined : { total_tokens: inputTokens }),
    ...(cost === undefined ? undefined : { cost: NanoUsd.toUsdNumber(cost) }),
    ...toReported(attempts.at(-1)?.implausible)
  }
}

/** The provider's report, where it was capped. */
const toReported = (
  implausible: RouteAttempt["implausible"]
): Pick<Ranking["usage"], "reported"> | undefined => {
  if (implausible === undefined) return undefined
  const { reported, usage } = implausible
  return {
    reported: usage === undefined ? { cost: reported } : { total_tokens: usage.inputTokens }
  }
}

const toRerankQuery = (
  caller: Caller,
  { images, longestTokens, parameters, request }: ParsedRerank
): RouteQuery<RerankCapability> => ({
  caller,
  models: [request.model],
  operation: "rerank",
  capability: getRerankCapability,
  ...(request.user === undefined ? undefined : { externalUser: request.user }),
  preferences: request.provider ?? Preferences.none,
  requirements: {
    parameters: Object.keys(parameters),
    // Each document must fit into the context on its own, with the query.
    inputTokens: longestTokens,
    outputTokens: 0,
    images
  }
})

const getRerankCapability = ({ rerank }: Upstream): RerankCapability | undefined => rerank
