/** Takes a request to an upstream: candidates, plan, reservations, attempts, health. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { AccountStore } from "../accounts/AccountStore.ts"
import type { Account } from "../accounts/Account.ts"
import type { Caller } from "../auth/Caller.ts"
import { Catalog, type Resolved } from "../catalog/Catalog.ts"
import type { Model } from "../catalog/Model.ts"
import { costOf } from "../catalog/Price.ts"
import { Health } from "../health/Health.ts"
import type { HealthSnapshot } from "../health/HealthSnapshot.ts"
import { Ledger } from "../ledger/Ledger.ts"
import type { LimitExceeded } from "../ledger/LedgerErrors.ts"
import type { Limit } from "../ledger/Limit.ts"
import { Settings } from "../Settings.ts"
import type { TokenUsage } from "../values/TokenUsage.ts"
import type { Upstream } from "../upstreams/Upstream.ts"
import type { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import { Upstreams } from "../upstreams/Upstreams.ts"
import { attempt, type Hold, type Served } from "./attempt.ts"
import type { Attempted } from "./Attempted.ts"
import * as Candidate from "./Candidate.ts"
import type { Constraint } from "./Constraint.ts"
import type { Demand } from "./Demand.ts"
import { type Plan, plan } from "./plan.ts"
import type { Preferences } from "./Preferences.ts"
import type { Rejected } from "./Rejected.ts"
import type { RequestedModel } from "./RequestedModel.ts"
import {
  AttemptsFailed,
  ModelNotFound,
  NoEndpoints,
  OutOfTime,
  WrongOperation
} from "./RoutingErrors.ts"
import { RoutingRules } from "./RoutingRules.ts"

/** What an upstream offers for an operation. */
export interface Offer {
  /** Endpoint parameters of which it needs one to do its best; absent: it needs none. */
  readonly needsOneOf?: ReadonlyArray<string>
}

/** What an operation asks of the router. */
export interface Query<Capability extends Offer> {
  readonly caller: Caller
  /** The model asked for and those to fall back to, in order. */
  readonly models: Arr.NonEmptyReadonlyArray<string>
  readonly operation: "decisions"
  /** What an upstream must offer to serve the operation. */
  readonly capability: (upstream: Upstream) => Capability | undefined
  readonly preferences: Preferences
  readonly demand: Demand
  /** The id of the only endpoint that may serve. */
  readonly pin?: string
}

/** A candidate together with what its upstream offers for the operation. */
interface Target<Capability> {
  readonly candidate: Candidate.Candidate
  readonly capability: Capability
}

export interface Routed<A> {
  readonly value: A
  readonly candidate: Candidate.Candidate
  /** Every attempt made, in order; the last one served. */
  readonly attempts: ReadonlyArray<Attempted>
}

/** A plan together with what it was made of: with the same seed and health it is the same. */
export interface Planned {
  readonly plan: Plan
  /** The models asked for, as they were resolved. */
  readonly models: ReadonlyArray<string>
  readonly seed: number
  readonly health: HealthSnapshot
}

/** What a plan is repeated with. */
export interface Replay {
  readonly seed?: number | undefined
  readonly health?: HealthSnapshot | undefined
}

/** Hears what a request comes to while it happens: all that is left of one that is interrupted. */
export interface Observer {
  readonly planned: (planned: Planned) => void
  /** An attempt has ended: served, failed or interrupted. */
  readonly attempted: (attempted: Attempted) => void
}

export type RoutingError =
  | ModelNotFound
  | WrongOperation
  | NoEndpoints
  | AttemptsFailed
  | OutOfTime
  | LimitExceeded

/** How an operation is done at one target. */
export interface Operation<Capability, A, R> {
  /** The most it can use there; what is reserved before it starts. */
  readonly worstCase: (target: Target<Capability>) => TokenUsage
  /** `spent` hears of what was used as it becomes known. */
  readonly run: (
    target: Target<Capability>,
    spent: (usage: TokenUsage) => void
  ) => Effect.Effect<Served<A>, UpstreamFailure, R>
}

export class Routing extends Context.Service<
  Routing,
  {
    /** The plan a request would get now, without executing it; empty when nobody may serve it. */
    readonly plan: <Capability extends Offer>(
      query: Query<Capability>,
      replay?: Replay
    ) => Effect.Effect<Planned, ModelNotFound | WrongOperation>
    /** Plans and executes; interrupting it interrupts the upstream call and settles what it used. */
    readonly route: <Capability extends Offer, A, R>(
      query: Query<Capability>,
      operation: Operation<Capability, A, R>,
      observer: Observer
    ) => Effect.Effect<Routed<A>, RoutingError, R>
  }
>()("@signalbox/core/routing/Routing") {
  static readonly layer: Layer.Layer<
    Routing,
    never,
    AccountStore | Catalog | Health | Ledger | Upstreams
  > = Layer.effect(
    Routing,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const catalog = yield* Catalog
      const health = yield* Health
      const ledger = yield* Ledger
      const upstreams = yield* Upstreams
      const settings = yield* Settings
      const { failureRules, strategy } = yield* RoutingRules

      /** A model never changes, so its candidates are made once. */
      const candidatesByModel = new WeakMap<Model, ReadonlyArray<Candidate.Candidate>>()
      const candidatesOf = <Capability extends Offer>(
        model: Model,
        { capability }: Query<Capability>
      ): ReadonlyArray<Candidate.Candidate> => {
        const known = candidatesByModel.get(model)
        if (known !== undefined) return known
        const candidates = model.endpoints.map((endpoint) => {
          const upstream = upstreams.find(endpoint.provider)
          const needsOneOf = upstream === undefined ? undefined : capability(upstream)?.needsOneOf
          return Candidate.make({
            endpoint,
            providerName: upstream?.name ?? endpoint.provider,
            distillable: model.distillable,
            ...(needsOneOf === undefined ? undefined : { needsOneOf })
          })
        })
        candidatesByModel.set(model, candidates)
        return candidates
      }

      const resolve = Effect.fnUntraced(function* (slugs: Arr.NonEmptyReadonlyArray<string>) {
        const resolved: Array<Resolved> = []
        for (const slug of slugs) {
          const found = catalog.resolve(slug)
          if (found === undefined) return yield* new ModelNotFound({ model: slug })
          resolved.push(found)
        }
        return resolved
      })

      const targetsOf = <Capability extends Offer>(
        query: Query<Capability>,
        resolved: ReadonlyArray<Resolved>
      ): ReadonlyMap<string, Target<Capability>> => {
        const targets = new Map<string, Target<Capability>>()
        for (const { model } of resolved) {
          for (const candidate of candidatesOf(model, query)) {
            const upstream = upstreams.find(candidate.endpoint.provider)
            const capability = upstream === undefined ? undefined : query.capability(upstream)
            if (capability !== undefined) targets.set(candidate.id, { candidate, capability })
          }
        }
        return targets
      }

      const prepare = Effect.fnUntraced(function* <Capability extends Offer>(
        query: Query<Capability>,
        replay: Replay = {}
      ) {
        const resolved = yield* resolve(query.models)
        const targets = targetsOf(query, resolved)
        if (targets.size === 0) {
          return yield* new WrongOperation({ model: query.models[0], operation: query.operation })
        }
        const { account } = query.caller
        const limits = yield* ledger.limitsOf(account)
        const seed = replay.seed ?? (yield* Random.nextInt)
        const snapshot = replay.health ?? (yield* health.snapshot(targets.keys()))
        const models = Arr.map(resolved, requested)
        const planned: Planned = {
          plan: plan({
            models: Arr.isReadonlyArrayNonEmpty(models) ? models : yield* Effect.die("no model"),
            candidates: Array.from(targets.values(), ({ candidate }) => candidate),
            preferences: query.preferences,
            constraints: constraintsOf(yield* accounts.find(account), limits),
            demand: query.demand,
            health: snapshot,
            minSamples: settings.rankMinSamples,
            seed,
            strategy,
            ...(query.pin === undefined ? undefined : { pin: query.pin })
          }),
          models: models.map(({ id }) => id),
          seed,
          health: snapshot
        }
        return { planned, targets }
      })

      /** Sets the worst case aside; undefined when spending is limited and the price is unknown. */
      const hold = Effect.fnUntraced(function* <Capability extends Offer, A, R>(
        { caller }: Query<Capability>,
        { worstCase }: Operation<Capability, A, R>,
        target: Target<Capability>
      ) {
        // Read anew for each attempt: credits may have been granted since the last one.
        const limits = yield* ledger.limitsOf(caller.account)
        if (limits.length === 0) return unlimited
        const worst = costOf(target.candidate.endpoint.price, worstCase(target))
        if (worst === undefined) return undefined
        const reservation = yield* ledger.reserve(caller.account, limits, worst)
        return {
          end: ({ cost }: Attempted) =>
            cost === undefined ? reservation.release : Effect.asVoid(reservation.settle(cost))
        }
      })

      const judge = (attempted: Attempted) => {
        const { candidate, failure, latencyMillis, startedAt, usage } = attempted
        return health.record({
          endpoint: candidate.endpoint.id,
          startedAt,
          at: startedAt + latencyMillis,
          latencyMillis,
          result: failure === undefined ? "success" : resultOf(failure, latencyMillis),
          ...(failure === undefined ? undefined : { kind: failure.kind }),
          ...(failure !== undefined || usage === undefined
            ? undefined
            : { outputTokens: usage.outputTokens }),
          ...(failure?.retryAfterMillis === undefined
            ? undefined
            : { retryAfterMillis: failure.retryAfterMillis })
        })
      }

      /** What had less than a quarter of the time is not to blame that it ran out. */
      const resultOf = ({ kind, phase }: UpstreamFailure, latencyMillis: number) =>
        phase === "total" && latencyMillis * 4 < settings.totalDeadlineMillis
          ? "ignored"
          : failureRules[kind].health

      return {
        plan: (query, replay) => Effect.map(prepare(query, replay), ({ planned }) => planned),
        route: Effect.fnUntraced(function* (query, operation, observer) {
          const { planned, targets } = yield* prepare(query)
          observer.planned(planned)
          const { ordered, rejected } = planned.plan
          const now = yield* Clock.currentTimeMillis
          const { attempts, isFinal, outOfTime, served, unaffordable } = yield* attempt(ordered, {
            budget: {
              maxAttempts: settings.maxAttempts,
              maxCredentialAttempts: settings.maxCredentialAttempts,
              deadlineAt: now + settings.totalDeadlineMillis
            },
            failureRules,
            claim: ({ endpoint }) => health.claim(endpoint.id),
            hold: (candidate) => hold(query, operation, targets.get(candidate.id)!),
            run: (candidate, spent) =>
              Effect.map(operation.run(targets.get(candidate.id)!, spent), (served) =>
                priced(candidate, served)
              ),
            ended: (attempted) => {
              observer.attempted(attempted)
              return judge(attempted)
            }
          })
          if (served !== undefined) return { ...served, attempts }
          const { models } = query
          if (Arr.isReadonlyArrayNonEmpty(attempts)) {
            return yield* new AttemptsFailed({ models, attempts, isFinal })
          }
          if (outOfTime) return yield* new OutOfTime({ models })
          if (unaffordable !== undefined) return yield* unaffordable
          return yield* new NoEndpoints({
            models,
            rejected: [...rejected, ...ordered.map(withoutKnownPrice)]
          })
        })
      }
    })
  )
}

const requested = ({ model, variant }: Resolved): RequestedModel => ({
  id: model.id,
  ...(variant === undefined ? undefined : { variant })
})

const unlimited: Hold = { end: () => Effect.void }

/** What an upstream states itself wins; else its price decides. */
const priced = <A>({ endpoint }: Candidate.Candidate, served: Served<A>): Served<A> => {
  if (served.cost !== undefined || served.usage === undefined) return served
  const cost = costOf(endpoint.price, served.usage)
  return cost === undefined ? served : { ...served, cost }
}

/** Planned while spending was unlimited, refused when it no longer was. */
const withoutKnownPrice = (candidate: Candidate.Candidate): Rejected => ({
  candidate,
  reasons: [
    {
      rule: "unknown_price",
      source: "account",
      wanted: "a known price, because spending is limited",
      found: "unknown price"
    }
  ]
})

const constraintsOf = (
  account: Account,
  limits: ReadonlyArray<Limit>
): ReadonlyArray<Constraint> => {
  const { dataCollection, ignore, only, zdr } = account
  const budgeted = limits.length > 0
  if (
    !budgeted &&
    only === undefined &&
    ignore === undefined &&
    !zdr &&
    dataCollection !== "deny"
  ) {
    return noConstraints
  }
  return [
    {
      source: "account",
      budgeted,
      zdr: zdr === true,
      denyDataCollection: dataCollection === "deny",
      ...(only === undefined ? undefined : { only }),
      ...(ignore === undefined ? undefined : { ignore })
    }
  ]
}

const noConstraints: ReadonlyArray<Constraint> = []
