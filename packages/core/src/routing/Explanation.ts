/** A plan in plain JSON: the response of a dry run, with everything needed to repeat it. */
import type { HealthSnapshot } from "../engine/health/HealthSnapshot.ts"
import { omitUndefined } from "../values/ownFields.ts"
import type { Candidate } from "./Candidate.ts"
import type { Affinity, NoAffinity } from "./plan/affinity/Affinity.ts"
import { type AffinityReport, reportAffinity } from "./plan/affinity/reportAffinity.ts"
import { estimateCost } from "./plan/selectPrices.ts"
import { indexDroppedParameters } from "./plan/findDroppedParameters.ts"
import type { Demotion, Exclusion, Reason } from "./Reason.ts"
import type { Requirements } from "./Requirements.ts"
import type { ExplainedLimits } from "./explainLimits.ts"
import { explainRouters, type RouterChoice } from "./explainRouters.ts"
import type { PlannedRoute } from "./RouteQuery.ts"
import { type ActiveFilter, findSmallestRelaxation } from "./plan/findSmallestRelaxation.ts"

/** An endpoint of an explanation. */
export interface ExplainedCandidate {
  readonly endpoint: string
  readonly model: string
  /** The provider's display name. */
  readonly provider: string
  /** The id of the customer's own credential for the call; absent: shared capacity. */
  readonly credential?: string
}

/** How a request would be routed: the candidates in order, and why the others are left out. */
export interface Explanation {
  /** The requested models, resolved. */
  readonly models: ReadonlyArray<string>
  /** What ordered the candidates: `order`, `sort:...`, or the name of the strategy. */
  readonly strategy: string
  /** The candidates in the order in which they would be tried. */
  readonly ordered: ReadonlyArray<
    ExplainedCandidate & {
      /** Why it was moved behind others; absent: it was not. */
      readonly demoted?: ReadonlyArray<Reason<Demotion>>
      /** Parameters of the request that it would not be sent; absent: none. */
      readonly dropped?: ReadonlyArray<string>
      /**
       * The estimated cost of the request there, in approximate USD, by the estimated lengths of the prompt and the
       * answer; absent: a price is unknown.
       */
      readonly estimated_cost?: number
      /** Its breaker is open, but no other candidate is left. */
      readonly last_resort?: true
    }
  >
  readonly rejected: ReadonlyArray<
    ExplainedCandidate & { readonly reasons: ReadonlyArray<Reason<Exclusion>> }
  >
  /** What the requested models that stand for others chose; absent: each of them is a model itself. */
  readonly routers?: ReadonlyArray<RouterChoice>
  /** For a Decision that may escalate: how the questions that are asked again would be routed. */
  readonly escalation?: Pick<
    Explanation,
    "models" | "ordered" | "rejected" | "relax" | "routers" | "strategy"
  >
  /** The fewest filters to relax, when no candidate may serve. */
  readonly relax?: ReadonlyArray<ActiveFilter>
  /** The limits that the request would meet now; a replay has those of now, too. */
  readonly limits?: ExplainedLimits
  /** The version of the configuration that the plan used. */
  readonly configuration: number
  /** With the same request, configuration, seed and health the plan is the same. */
  readonly seed: number
  readonly health: HealthSnapshot
  /** The conversation of a chat, to repeat the plan, and what the plan did with it; absent for other operations. */
  readonly affinity?: ExplainedAffinity
}

/** Without a key where the conversation goes where the strategy says. */
type ExplainedAffinity = AffinityReport & (Affinity | NoAffinity)

export const toExplanation = (planned: PlannedRoute): Explanation => {
  const { configuration, escalation, health, seed } = planned
  const affinity = reportAffinity(planned)
  return {
    ...explainPlan(planned),
    ...(escalation === undefined ? undefined : { escalation: explainPlan(escalation) }),
    configuration,
    seed,
    health,
    ...(affinity === undefined
      ? undefined
      : {
          affinity:
            planned.affinity?.key === undefined ? affinity : { ...planned.affinity, ...affinity }
        })
  }
}

const explainPlan = ({ models, plan, requirements, routers }: PlannedRoute) => {
  const demoted = new Map(plan.demoted.map(({ candidate, reasons }) => [candidate.id, reasons]))
  const dropped = indexDroppedParameters(plan)
  return {
    models,
    strategy: plan.strategy,
    ordered: plan.ordered.map((candidate) => ({
      ...toExplainedCandidate(candidate),
      ...omitUndefined({
        demoted: demoted.get(candidate.id),
        dropped: dropped.get(candidate.id),
        estimated_cost: findCost(candidate, requirements)
      }),
      ...(plan.lastResort === candidate ? { last_resort: true as const } : undefined)
    })),
    rejected: plan.rejected.map(({ candidate, reasons }) => ({
      ...toExplainedCandidate(candidate),
      reasons
    })),
    ...(routers === undefined ? undefined : { routers: explainRouters(routers, plan) }),
    ...(plan.ordered.length === 0 ? { relax: findSmallestRelaxation(plan.rejected) } : undefined)
  }
}

const findCost = (candidate: Candidate, requirements: Requirements): number | undefined => {
  const cost = estimateCost(candidate, requirements)
  return Number.isFinite(cost) ? cost : undefined
}

const toExplainedCandidate = ({
  credential,
  endpoint,
  providerName
}: Candidate): ExplainedCandidate => ({
  endpoint: endpoint.id,
  model: endpoint.model,
  provider: providerName,
  ...(credential === undefined ? undefined : { credential: credential.id })
})
