/** How a request was routed: the metadata that callers request over HTTP, and that calls in process may carry. */
import type { RouteAttempt } from "./attempt/RouteAttempt.ts"
import { isByok } from "./Candidate.ts"
import type { Explanation } from "./Explanation.ts"
import type { RoutingMetadata } from "./RoutingMetadata.ts"

interface RoutingMetadataInput {
  /** Model as in the request. */
  readonly requested: string
  readonly explanation: Explanation
  readonly attempts: ReadonlyArray<RouteAttempt>
}

/** The metadata names endpoints and rules, never content, keys or prices paid. */
export const toRoutingMetadata = ({
  attempts,
  explanation,
  requested
}: RoutingMetadataInput): RoutingMetadata => {
  const served = attempts.findIndex(isServed)
  const selected = served === -1 ? undefined : attempts[served]?.candidate
  const { affinity, ordered, rejected, relax, routers } = explanation
  return {
    requested,
    strategy: toStrategy(requested, explanation),
    region: null,
    summary: toSummary(explanation, attempts, served),
    // 1-based; 0 means that no attempt succeeded.
    attempt: served + 1,
    is_byok: selected !== undefined && isByok(selected),
    endpoints: {
      total: ordered.length + rejected.length,
      available: ordered.map(({ credential, endpoint, model, provider }) => ({
        endpoint,
        provider,
        model,
        selected: endpoint === selected?.endpoint.id && credential === selected.credential?.id,
        ...toByokFlag(credential)
      }))
    },
    attempts: attempts.map(({ candidate, changed, failure, hedge, lost }) => ({
      provider: candidate.providerName,
      model: candidate.endpoint.model,
      status: failure === undefined && lost === undefined ? 200 : (failure?.status ?? 0),
      ...(isByok(candidate) ? { is_byok: true as const } : undefined),
      ...(failure === undefined ? undefined : { error: failure.kind }),
      ...(changed === undefined ? undefined : { changed }),
      ...(hedge === undefined ? undefined : { hedge }),
      ...(lost === undefined ? undefined : { lost })
    })),
    ordered_by: explanation.strategy,
    ...(affinity === undefined ? undefined : { affinity: { by: affinity.by, did: affinity.did } }),
    demoted: ordered.flatMap(({ credential, demoted, endpoint }) =>
      demoted === undefined ? [] : [{ endpoint, ...toByokFlag(credential), reasons: demoted }]
    ),
    dropped_parameters: ordered.flatMap(({ credential, dropped, endpoint }) =>
      dropped === undefined ? [] : [{ endpoint, ...toByokFlag(credential), parameters: dropped }]
    ),
    rejected: rejected.map(({ credential, endpoint, reasons }) => ({
      endpoint,
      ...toByokFlag(credential),
      reasons
    })),
    ...(routers === undefined ? undefined : { routers }),
    ...(relax === undefined ? undefined : { relax })
  }
}

const toByokFlag = (credential: string | undefined) =>
  credential === undefined ? undefined : { is_byok: true as const }

const isServed = ({ abortReason, failure, lost }: RouteAttempt): boolean =>
  failure === undefined && abortReason === undefined && lost === undefined

const toStrategy = (
  requested: string,
  { models, routers = [] }: Explanation
): RoutingMetadata["strategy"] => {
  if (models.length > 1) return "fallback"
  const [router] = routers
  if (router !== undefined) return router.free ? "free" : "auto"
  return requested.startsWith("~") ? "latest" : "direct"
}

const toSummary = (
  { ordered, rejected, strategy }: Explanation,
  attempts: ReadonlyArray<RouteAttempt>,
  served: number
): string => {
  const winner = attempts[served]
  const outcome =
    winner === undefined
      ? attempts.length === 0
        ? "no attempts"
        : `${attempts.length} attempts failed`
      : `${winner.candidate.providerName} answered at attempt ${served + 1}`
  const demotedCount = ordered.filter(({ demoted }) => demoted !== undefined).length
  return `${outcome}; ${ordered.length} endpoints by ${strategy}, ${demotedCount} demoted, ${rejected.length} rejected`
}
