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
import { Catalog } from "../catalog/Catalog.ts"
import type { Model } from "../catalog/Model.ts"
import { costOf, isKnown } from "../catalog/Price.ts"
import { Health } from "../health/Health.ts"
import { Ledger, type Reservation } from "../ledger/Ledger.ts"
import type { LimitExceeded } from "../ledger/LedgerErrors.ts"
import type { Limit } from "../ledger/Limit.ts"
import { Settings } from "../Settings.ts"
import type { TokenUsage } from "../values/TokenUsage.ts"
import type { Upstream } from "../upstreams/Upstream.ts"
import type { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import { Upstreams } from "../upstreams/Upstreams.ts"
import { attempt, type Served } from "./attempt.ts"
import type { Attempted } from "./Attempted.ts"
import type { Candidate } from "./Candidate.ts"
import type { Constraint } from "./Constraint.ts"
import type { Demand } from "./Demand.ts"
import { outcomeOf } from "./outcomeOf.ts"
import { type Plan, plan } from "./plan.ts"
import type { Preferences } from "./Preferences.ts"
import { priceWeighted } from "./priceWeighted.ts"
import type { Reason } from "./Reason.ts"
import {
  AttemptsFailed,
  ModelNotFound,
  NoEndpoints,
  OutOfTime,
  WrongOperation
} from "./RoutingErrors.ts"

/** What an operation asks of the router. */
export interface Query<Capability> {
  readonly caller: Caller
  /** The model asked for and those to fall back to, in order. */
  readonly models: Arr.NonEmptyReadonlyArray<string>
  readonly operation: "decisions"
  /** What an upstream must offer to serve the operation. */
  readonly capability: (upstream: Upstream) => Capability | undefined
  readonly preferences: Preferences
  readonly demand: Demand
}

/** A candidate together with what its upstream offers for the operation. */
interface Target<Capability> {
  readonly candidate: Candidate
  readonly capability: Capability
}

export interface Routed<A> {
  readonly value: A
  readonly candidate: Candidate
  /** Every attempt made, in order; the last one served. */
  readonly attempts: ReadonlyArray<Attempted>
}

/** Hears what a request comes to while it happens: all that is left of one that is interrupted. */
export interface Observer {
  readonly planned: (plan: Plan) => void
  /** An attempt has ended: served, failed, or was broken off. */
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
  /** Whoever tells `spent` anything tells it all that was used, request by request. */
  readonly run: (
    target: Target<Capability>,
    spent: (usage: TokenUsage) => void
  ) => Effect.Effect<Served<A>, UpstreamFailure, R>
}

export class Routing extends Context.Service<
  Routing,
  {
    /** The plan a request would get now, without executing it; empty when nobody may serve it. */
    readonly plan: <Capability>(
      query: Query<Capability>
    ) => Effect.Effect<Plan, ModelNotFound | WrongOperation>
    /**
     * Plans and executes. Interrupting it interrupts the upstream call and charges what that is known
     * to have used; the rest of its reservation is released.
     */
    readonly route: <Capability, A, R>(
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
      const scope = yield* Effect.scope

      // A model never changes, so its candidates are made once.
      const candidatesByModel = new WeakMap<Model, ReadonlyArray<Candidate>>()
      const candidatesOf = (model: Model): ReadonlyArray<Candidate> => {
        const known = candidatesByModel.get(model)
        if (known !== undefined) return known
        const candidates = model.endpoints.map((endpoint) => ({
          id: endpoint.id,
          endpoint,
          providerName: upstreams.find(endpoint.provider)?.name ?? endpoint.provider,
          distillable: model.distillable
        }))
        candidatesByModel.set(model, candidates)
        return candidates
      }

      const modelOf = (slug: string): Effect.Effect<Model, ModelNotFound> => {
        const model = catalog.find(slug)
        return model === undefined
          ? Effect.fail(new ModelNotFound({ model: slug }))
          : Effect.succeed(model)
      }

      const targetsOf = Effect.fnUntraced(function* <Capability>(
        query: Query<Capability>,
        models: ReadonlyArray<Model>
      ) {
        const targets = new Map<string, Target<Capability>>()
        for (const candidate of models.flatMap(candidatesOf)) {
          const upstream = upstreams.find(candidate.endpoint.provider)
          const capability = upstream === undefined ? undefined : query.capability(upstream)
          if (capability !== undefined) targets.set(candidate.id, { candidate, capability })
        }
        if (targets.size === 0) {
          return yield* new WrongOperation({ model: query.models[0], operation: query.operation })
        }
        return targets
      })

      const prepare = Effect.fnUntraced(function* <Capability>(query: Query<Capability>) {
        const models = yield* Effect.forEach(query.models, modelOf)
        const targets = yield* targetsOf(query, models)
        const limits = yield* ledger.limitsOf(query.caller.account)
        const planned = plan({
          models: Arr.map(models, ({ id }) => id),
          candidates: Array.from(targets.values(), ({ candidate }) => candidate),
          preferences: query.preferences,
          constraints: constraintsOf(yield* accounts.find(query.caller.account), limits),
          demand: query.demand,
          health: yield* health.snapshot(
            Array.from(targets.values(), ({ candidate }) => candidate.endpoint.id)
          ),
          seed: yield* Random.nextInt,
          strategy: priceWeighted
        })
        return { planned, targets }
      })

      /** Sets aside the worst case of an attempt, under the limits as they are at this moment. */
      const reserve = Effect.fnUntraced(function* <Capability, A, R>(
        query: Query<Capability>,
        operation: Operation<Capability, A, R>,
        target: Target<Capability>,
        planned: Plan
      ): Effect.fn.Return<Reservation | undefined, LimitExceeded | NoEndpoints> {
        const { candidate } = target
        const { price } = candidate.endpoint
        const limits = yield* ledger.limitsOf(query.caller.account)
        if (limits.length === 0) return undefined
        const worst = isKnown(price) ? costOf(price, operation.worstCase(target)) : undefined
        if (worst !== undefined) return yield* ledger.reserve(query.caller.account, limits, worst)
        // Planned while spending was unlimited: the next plan will say the same.
        return yield* new NoEndpoints({
          models: query.models,
          rejected: [...planned.rejected, { candidate, reasons: [unknownPrice] }]
        })
      })

      return {
        plan: (query) => Effect.map(prepare(query), ({ planned }) => planned),
        route: Effect.fnUntraced(function* (query, operation, observer) {
          const { models } = query
          const { maxAttempts, totalDeadlineMillis } = settings
          const deadlineAt = (yield* Clock.currentTimeMillis) + totalDeadlineMillis
          const { planned, targets } = yield* Effect.timeoutOrElse(prepare(query), {
            duration: totalDeadlineMillis,
            orElse: () => Effect.fail(new OutOfTime({ models }))
          })
          observer.planned(planned)
          // A plan orders the candidates it was given, which are those of the targets.
          const targetOf = ({ id }: Candidate) => targets.get(id)!
          const { attempts, outOfTime, refusal, served } = yield* attempt(
            planned.ordered,
            {
              reserve: (candidate) => reserve(query, operation, targetOf(candidate), planned),
              run: (candidate, spent) => operation.run(targetOf(candidate), spent)
            },
            {
              budget: { maxAttempts, deadlineAt },
              ended: (attempted) => {
                observer.attempted(attempted)
                return health.record(outcomeOf(attempted, totalDeadlineMillis))
              },
              scope
            }
          )
          if (served !== undefined) return { ...served, attempts }
          if (Arr.isReadonlyArrayNonEmpty(attempts)) {
            return yield* new AttemptsFailed({ models, attempts })
          }
          // Nothing was tried: there was no time, everybody was refused, or there was nobody.
          if (outOfTime === true) return yield* new OutOfTime({ models })
          if (refusal !== undefined) return yield* refusal
          return yield* new NoEndpoints({ models, rejected: planned.rejected })
        })
      }
    })
  )
}

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

const unknownPrice: Reason = {
  rule: "unknown_price",
  source: "account",
  wanted: "a known price, because spending is limited",
  found: "unknown price"
}
