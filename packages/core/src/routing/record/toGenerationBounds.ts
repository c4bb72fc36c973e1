/** The bounds in the record of a request: names and kinds of what restricted its plan besides the request itself. */
import * as Cause from "effect/Cause"
import { memoize } from "effect/Function"
import type {
  ExceededLimit,
  GenerationConstraint,
  GenerationLimit,
  GenerationReason
} from "../../engine/observability/generations/Generation.ts"
import { truncateText } from "../../engine/observability/generations/truncateGeneration.ts"
import { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import type { Limit } from "../../engine/ledger/Limit.ts"
import { buildConstraintRules } from "../plan/hardRules.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { SkippedCandidate } from "../RouteQuery.ts"
import { EndpointBusy } from "../RoutingErrors.ts"
import type { Constraint } from "../restrictions/Constraint.ts"

/** The number of constraints and limits in a record; further ones are dropped. */
export const maxBounds = 64

/** Memoized like `toGenerationLimits`, because requests of one caller have them in common. Without those that restrict nothing. */
export const toGenerationConstraints = memoize(
  (constraints: ReadonlyArray<Constraint>): ReadonlyArray<GenerationConstraint> =>
    constraints
      .map((constraint) => ({
        // Truncated here and not with each record, because accounts choose the names of guardrails.
        source: truncateText(constraint.source),
        rules: listKinds(constraint)
      }))
      .filter(({ rules }) => rules.length > 0)
      .slice(0, maxBounds)
)

export const toGenerationLimits = memoize(
  (limits: ReadonlyArray<Limit>): ReadonlyArray<GenerationLimit> =>
    limits.slice(0, maxBounds).map(toGenerationLimit)
)

/** Undefined when the request failed for another reason. */
export const findExceededLimit = (cause: Cause.Cause<unknown>): ExceededLimit | undefined => {
  const error = cause.reasons.find(Cause.isFailReason)?.error
  if (!(error instanceof LimitExceeded)) return undefined
  const {
    amount,
    available,
    limit: { cap }
  } = error
  return { ...toGenerationLimit(error.limit), cap, amount, available }
}

/** Why a budget or the endpoint itself left a candidate out. */
export const toSkipReason = ({
  candidate: { credential, endpoint },
  exceeded
}: SkippedCandidate): GenerationReason => ({
  endpoint: endpoint.id,
  ...(credential === undefined ? undefined : { credential: credential.id }),
  ...(exceeded instanceof EndpointBusy
    ? {
        rule: "parallel_requests",
        source: "endpoint",
        wanted: `fewer than ${exceeded.limit} requests in parallel`,
        found: "no room"
      }
    : {
        rule: "spend_limit",
        source: `budget ${truncateText(exceeded.limit.name ?? exceeded.limit.id)}`,
        wanted: `at least ${NanoUsd.toUsdNumber(exceeded.amount)} USD left`,
        found: `${NanoUsd.toUsdNumber(exceeded.available)} USD`
      })
})

const toGenerationLimit = ({ interval, kind, name }: Limit): GenerationLimit => ({
  kind,
  interval,
  ...(name === undefined ? undefined : { name: truncateText(name) })
})

const listKinds = (constraint: Constraint): ReadonlyArray<string> =>
  Array.from(
    new Set<string>([
      ...buildConstraintRules(constraint).map(({ rule }) => rule),
      ...(constraint.noStore === true ? ["no_store"] : []),
      ...(constraint.hasSpendLimit === true ? ["spend_limit"] : [])
    ])
  )
