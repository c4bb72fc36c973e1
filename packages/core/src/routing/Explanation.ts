/** A plan in plain JSON: what a dry run answers, and all it takes to repeat it. */
import type { HealthSnapshot } from "../health/HealthSnapshot.ts"
import type { Candidate } from "./Candidate.ts"
import { indexDroppedParameters } from "./plan/findDroppedParameters.ts"
import type { Demotion, Exclusion, Reason } from "./Reason.ts"
import type { PlannedRoute } from "./RouteQuery.ts"
import { type ActiveFilter, findSmallestRelaxation } from "./plan/findSmallestRelaxation.ts"

export interface ExplainedCandidate {
  readonly endpoint: string
  readonly model: string
  /** The provider's display name. */
  readonly provider: string
  /** The id of the customer's own credential it is called with; absent: shared capacity. */
  readonly credential?: string
}

export interface Explanation {
  /** The models asked for, as they were resolved. */
  readonly models: ReadonlyArray<string>
  /** What put the candidates in order: `order`, `sort:...`, or the name of the strategy. */
  readonly strategy: string
  /** In the order in which they would be tried. */
  readonly ordered: ReadonlyArray<
    ExplainedCandidate & {
      /** What moved it behind the others; absent when nothing did. */
      readonly demoted?: ReadonlyArray<Reason<Demotion>>
      /** Parameters of the request it would not be sent; absent: it would be sent all. */
      readonly dropped?: ReadonlyArray<string>
      /** Blocked, but the only one left. */
      readonly last_resort?: true
    }
  >
  readonly rejected: ReadonlyArray<
    ExplainedCandidate & { readonly reasons: ReadonlyArray<Reason<Exclusion>> }
  >
  /** The fewest filters to relax, when nobody may serve. */
  readonly relax?: ReadonlyArray<ActiveFilter>
  /** The version of the configuration it was made under. */
  readonly configuration: number
  /** With the same request, configuration, seed and health the plan is the same. */
  readonly seed: number
  readonly health: HealthSnapshot
}

export const toExplanation = ({
  configuration,
  health,
  models,
  plan,
  seed
}: PlannedRoute): Explanation => {
  const demoted = new Map(plan.demoted.map(({ candidate, reasons }) => [candidate.id, reasons]))
  const dropped = indexDroppedParameters(plan)
  return {
    models,
    strategy: plan.strategy,
    ordered: plan.ordered.map((candidate) => {
      const reasons = demoted.get(candidate.id)
      return {
        ...toExplainedCandidate(candidate),
        ...(reasons === undefined ? undefined : { demoted: reasons }),
        ...toDroppedField(candidate, dropped),
        ...(plan.lastResort === candidate ? { last_resort: true as const } : undefined)
      }
    }),
    rejected: plan.rejected.map(({ candidate, reasons }) => ({
      ...toExplainedCandidate(candidate),
      reasons
    })),
    ...(plan.ordered.length === 0 ? { relax: findSmallestRelaxation(plan.rejected) } : undefined),
    configuration,
    seed,
    health
  }
}

const toDroppedField = ({ id }: Candidate, dropped: ReturnType<typeof indexDroppedParameters>) => {
  const parameters = dropped.get(id)
  return parameters === undefined ? undefined : { dropped: parameters }
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
