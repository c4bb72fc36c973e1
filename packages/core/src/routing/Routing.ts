/** Takes a request to an upstream: candidates, plan, reservations, attempts, health. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { AccountStore } from "../accounts/AccountStore.ts"
import { Catalog, type Resolved } from "../catalog/Catalog.ts"
import type { Model } from "../catalog/Model.ts"
import { costOf, isKnown } from "../catalog/Price.ts"
import { Health } from "../health/Health.ts"
import { Ledger, type Reservation } from "../ledger/Ledger.ts"
import type { LimitExceeded } from "../ledger/LedgerErrors.ts"
import type { Limit } from "../ledger/Limit.ts"
import { Settings } from "../Settings.ts"
import { Upstreams } from "../upstreams/Upstreams.ts"
import { attempt } from "./attempt.ts"
import * as Candidate from "./Candidate.ts"
import { constraintsOf } from "./constraintsOf.ts"
import { outcomeOf } from "./outcomeOf.ts"
import { type Plan, plan } from "./plan.ts"
import type { Observer, Offer, Operation, Planned, Query, Replay, Routed, Target } from "./Query.ts"
import type { Exclusion, Reason } from "./Reason.ts"
import type { RequestedModel } from "./RequestedModel.ts"
import {
  AttemptsFailed,
  ModelNotFound,
  NoEndpoints,
  OutOfTime,
  WrongOperation
} from "./RoutingErrors.ts"
import { RoutingRules } from "./RoutingRules.ts"

interface Prepared<Capability> {
  readonly planned: Planned
  readonly targets: ReadonlyMap<string, Target<Capability>>
  /** What the account's spending falls under, as it was when the plan was made. */
  readonly limits: ReadonlyArray<Limit>
}

export type RoutingError =
  | ModelNotFound
  | WrongOperation
  | NoEndpoints
  | AttemptsFailed
  | OutOfTime
  | LimitExceeded

export class Routing extends Context.Service<
  Routing,
  {
    /** The plan a request would get now, without executing it; empty when nobody may serve it. */
    readonly plan: <Capability extends Offer>(
      query: Query<Capability>,
      replay?: Replay
    ) => Effect.Effect<Planned, ModelNotFound | WrongOperation>
    /**
     * Plans and executes. Interrupting it interrupts the upstream call and charges what that is known
     * to have used; the rest of its reservation is released.
     */
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
      const scope = yield* Effect.scope

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
        const stranger = query.models.find((slug) => catalog.resolve(slug) === undefined)
        if (stranger !== undefined) return yield* new ModelNotFound({ model: stranger })
        const resolved = Arr.map(query.models, (slug) => catalog.resolve(slug)!)
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
            models,
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
        return { planned, targets, limits } satisfies Prepared<Capability>
      })

      /** Sets aside the worst case of an attempt under `limits`. */
      const reserve = <Capability extends Offer, A, R>(
        { caller, models }: Query<Capability>,
        operation: Operation<Capability, A, R>,
        target: Target<Capability>,
        { limits, rejected }: Pick<Prepared<Capability>, "limits"> & Pick<Plan, "rejected">
      ): Effect.Effect<Reservation | undefined, LimitExceeded | NoEndpoints> => {
        if (limits.length === 0) return Effect.undefined
        const { candidate } = target
        const { price } = candidate.endpoint
        const worst = isKnown(price) ? costOf(price, operation.worstCase(target)) : undefined
        if (worst !== undefined) return ledger.reserve(caller.account, limits, worst)
        // Planned while spending was unlimited: the next plan will say the same.
        return Effect.fail(
          new NoEndpoints({
            models,
            rejected: [...rejected, { candidate, reasons: [unknownPrice] }]
          })
        )
      }

      return {
        plan: (query, replay) => Effect.map(prepare(query, replay), ({ planned }) => planned),
        route: Effect.fnUntraced(function* (query, operation, observer) {
          const { models } = query
          const { maxAttempts, maxCredentialAttempts, totalDeadlineMillis } = settings
          const deadlineAt = (yield* Clock.currentTimeMillis) + totalDeadlineMillis
          const { limits, planned, targets } = yield* Effect.timeoutOrElse(prepare(query), {
            duration: totalDeadlineMillis,
            orElse: () => Effect.fail(new OutOfTime({ models }))
          })
          observer.planned(planned)
          const { ordered, rejected } = planned.plan
          // A plan orders the candidates it was given, which are those of the targets.
          const targetOf = ({ id }: Candidate.Candidate) => targets.get(id)!
          let isFirst = true
          const { attempts, isFinal, outOfTime, refusal, served } = yield* attempt(
            ordered,
            {
              claim: ({ endpoint }) => health.claim(endpoint.id),
              reserve: (candidate) => {
                const target = targetOf(candidate)
                if (!isFirst) {
                  // Credits may have been granted since.
                  return Effect.flatMap(ledger.limitsOf(query.caller.account), (limits) =>
                    reserve(query, operation, target, { limits, rejected })
                  )
                }
                isFirst = false
                return limits.length === 0
                  ? undefined
                  : reserve(query, operation, target, { limits, rejected })
              },
              run: (candidate, spent) => operation.run(targetOf(candidate), spent)
            },
            {
              budget: { maxAttempts, maxCredentialAttempts, deadlineAt },
              failureRules,
              ended: (attempted) => {
                observer.attempted(attempted)
                return health.record(outcomeOf(attempted, { failureRules, totalDeadlineMillis }))
              },
              scope
            }
          )
          if (served !== undefined) return { ...served, attempts }
          if (Arr.isReadonlyArrayNonEmpty(attempts)) {
            return yield* new AttemptsFailed({ models, attempts, isFinal: isFinal === true })
          }
          // Nothing was tried: there was no time, everybody was refused, or there was nobody.
          if (outOfTime === true) return yield* new OutOfTime({ models })
          if (refusal !== undefined) return yield* refusal
          return yield* new NoEndpoints({ models, rejected })
        })
      }
    })
  )
}

const requested = ({ model, variant }: Resolved): RequestedModel => ({
  id: model.id,
  ...(variant === undefined ? undefined : { variant })
})

const unknownPrice: Reason<Exclusion> = {
  rule: "unknown_price",
  source: "account",
  wanted: "a known price, because spending is limited",
  found: "unknown price"
}
