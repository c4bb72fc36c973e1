/** What an operation asks of the router, and what it is told. */
import type * as Arr from "effect/Array"
import type * as Effect from "effect/Effect"
import type { Caller } from "../auth/Caller.ts"
import type { HealthSnapshot } from "../health/HealthSnapshot.ts"
import type { Limit } from "../ledger/Limit.ts"
import type { GenerationId } from "../values/ids/GenerationId.ts"
import type { OperationName } from "../values/OperationName.ts"
import type { Upstream } from "../upstreams/Upstream.ts"
import type { RouteAttempt } from "./attempt/RouteAttempt.ts"
import type { Candidate } from "./Candidate.ts"
import type { Requirements } from "./Requirements.ts"
import type { Plan } from "./plan/plan.ts"
import type { Preferences } from "./Preferences.ts"

/** What an upstream offers for an operation. */
export interface CapabilityTraits {
  /** Endpoint parameters of which it needs one to do its best; absent: it needs none. */
  readonly needsOneOf?: ReadonlyArray<string>
  /** It never ignores a parameter: it takes it or refuses the call; absent: it may. */
  readonly checksParameters?: true
  /** It runs on the host's own credential alone, so that none of a customer's is used there. */
  readonly ignoresCredentials?: true
}

/** What an operation asks of the router. */
export interface RouteQuery<Capability extends CapabilityTraits> {
  readonly caller: Caller
  /** The model asked for and those to fall back to, in order. */
  readonly models: Arr.NonEmptyReadonlyArray<string>
  readonly operation: OperationName
  /** What an upstream must offer to serve the operation. */
  readonly capability: (upstream: Upstream) => Capability | undefined
  readonly preferences: Preferences
  readonly requirements: Requirements
  /** What a candidate is for this request, such as what it charges for it; absent: as its endpoint says. */
  readonly priceCandidate?: (candidate: Candidate) => Candidate
  /** The id of the only candidate that may serve, for work that must stay where it began. */
  readonly pin?: string
  /** How long in milliseconds all attempts together may take; absent: `Settings.totalTimeoutMillis`. */
  readonly timeoutMillis?: number
  /** The ids of the candidates there are; absent: whoever offers the operation. */
  readonly allowedIds?: ReadonlySet<string>
}

/** What an operation yielded, where, and after which attempts. */
export interface RouteResult<A> {
  readonly value: A
  readonly candidate: Candidate
  /** Every attempt made, in order; the last one served. */
  readonly attempts: ReadonlyArray<RouteAttempt>
}

/** A plan together with what it was made of: with the same seed and health it is the same. */
export interface PlannedRoute {
  readonly plan: Plan
  /** The models asked for, as they were resolved. */
  readonly models: ReadonlyArray<string>
  /** The version of the configuration it was made under. */
  readonly configuration: number
  readonly seed: number
  readonly health: HealthSnapshot
  /** What the spending of the caller fell under. */
  readonly limits: ReadonlyArray<Limit>
}

/** What a plan is repeated with. */
export interface PlanReplay {
  readonly seed?: number | undefined
  readonly health?: HealthSnapshot | undefined
}

/** Hears what a request comes to while it happens: all that is left of one that is interrupted. */
export interface RouteObserver {
  /** Under which id the record is going to be found, whatever becomes of it. */
  readonly onRecordId?: (id: GenerationId) => void
  readonly onPlan: (planned: PlannedRoute) => void
  /** An attempt has ended: served, failed or interrupted. */
  readonly onAttempt: (attempted: RouteAttempt) => void
  /** What an attempt cost is charged; never told where its reservation lapses instead. */
  readonly onCharge?: (attempted: RouteAttempt) => Effect.Effect<void>
}
