/** Takes a request to an upstream: candidates, plan, reservations, attempts, health. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { AccountStore } from "../accounts/AccountStore.ts"
import type { Account } from "../accounts/Account.ts"
import type { Caller } from "../auth/Caller.ts"
import { Catalog } from "../catalog/Catalog.ts"
import type { Model } from "../catalog/Model.ts"
import { costOf } from "../catalog/Price.ts"
import { Health } from "../health/Health.ts"
import { Ledger } from "../ledger/Ledger.ts"
import type { LimitExceeded } from "../ledger/LedgerErrors.ts"
import type { Limit } from "../ledger/Limit.ts"
import { Settings } from "../Settings.ts"
import type { TokenUsage } from "../values/TokenUsage.ts"
import type { Upstream } from "../upstreams/Upstream.ts"
import type { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import { Upstreams } from "../upstreams/Upstreams.ts"
import * as NanoUsd from "../values/NanoUsd.ts"
import { attempt, type Served } from "./attempt.ts"
import type { Attempted } from "./Attempted.ts"
import type { Candidate } from "./Candidate.ts"
import type { Constraint } from "./Constraint.ts"
import type { Demand } from "./Demand.ts"
import { failureRules } from "./failureRules.ts"
import { type Plan, plan } from "./plan.ts"
import type { Preferences } from "./Preferences.ts"
import { priceWeighted } from "./priceWeighted.ts"
import { AttemptsFailed, ModelNotFound, NoEndpoints, WrongOperation } from "./RoutingErrors.ts"

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
  /** An attempt has ended, served or failed. */
  readonly attempted: (attempted: Attempted) => void
}

export type RoutingError =
  | ModelNotFound
  | WrongOperation
  | NoEndpoints
  | AttemptsFailed
  | LimitExceeded

/** How an operation is done at one target. */
export interface Operation<Capability, A, R> {
  /** The most tokens it can use there; what is reserved before it starts. */
  readonly worstCase: (target: Target<Capability>) => TokenUsage
  readonly run: (target: Target<Capability>) => Effect.Effect<Served<A>, UpstreamFailure, R>
}

export class Routing extends Context.Service<
  Routing,
  {
    /** The plan a request would get now, without executing it; empty when nobody may serve it. */
    readonly plan: <Capability>(
      query: Query<Capability>
    ) => Effect.Effect<Plan, ModelNotFound | WrongOperation>
    /** Plans and executes; interrupting it interrupts the upstream call and releases its reservation. */
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

      const targetsOf = Effect.fnUntraced(function* <Capability>(query: Query<Capability>) {
        const targets = new Map<string, Target<Capability>>()
        for (const slug of query.models) {
          const model = catalog.find(slug)
          if (model === undefined) return yield* new ModelNotFound({ model: slug })
          for (const candidate of candidatesOf(model, upstreams)) {
            const upstream = upstreams.find(candidate.endpoint.provider)
            const capability = upstream === undefined ? undefined : query.capability(upstream)
            if (capability !== undefined) targets.set(candidate.id, { candidate, capability })
          }
        }
        if (targets.size === 0) {
          return yield* new WrongOperation({ model: query.models[0], operation: query.operation })
        }
        return targets
      })

      const prepare = Effect.fnUntraced(function* <Capability>(query: Query<Capability>) {
        const targets = yield* targetsOf(query)
        const limits = yield* ledger.limitsOf(query.caller.account)
        const planned = plan({
          models: Arr.map(query.models, (slug) => catalog.find(slug)!.id),
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

      /** One attempt inside a reservation of its worst case. */
      const paidFor = <Capability, A, R>(
        query: Query<Capability>,
        operation: Operation<Capability, A, R>,
        limits: ReadonlyArray<Limit>,
        target: Target<Capability>
      ): Effect.Effect<Served<A>, UpstreamFailure | LimitExceeded, R> => {
        const { price } = target.candidate.endpoint
        const priced = Effect.map(operation.run(target), (served): Served<A> => {
          if (served.cost !== undefined || served.usage === undefined) return served
          const cost = costOf(price, served.usage)
          return cost === undefined ? served : { ...served, cost }
        })
        if (limits.length === 0) return priced
        const worst = costOf(price, operation.worstCase(target)) ?? NanoUsd.zero
        return Effect.acquireUseRelease(
          ledger.reserve(query.caller.account, limits, worst),
          () => priced,
          (reservation, exit) => {
            const spent = spentOn(target.candidate, exit)
            return spent === undefined ? reservation.release : reservation.settle(spent)
          }
        )
      }

      const judge = ({ candidate, failure, latencyMillis, startedAt }: Attempted) =>
        failure !== undefined &&
        (!failureRules[failure.kind].countsAgainstHealth ||
          // What had less than half of the time is not to blame that it ran out.
          (failure.phase === "total" && latencyMillis * 2 < settings.totalDeadlineMillis))
          ? Effect.void
          : health.record({
              endpoint: candidate.endpoint.id,
              startedAt,
              at: startedAt + latencyMillis,
              latencyMillis,
              ...(failure === undefined
                ? { result: "success" }
                : { result: "failure", kind: failure.kind })
            })

      return {
        plan: (query) => Effect.map(prepare(query), ({ planned }) => planned),
        route: Effect.fnUntraced(function* (query, operation, observer) {
          const { planned, targets } = yield* prepare(query)
          observer.planned(planned)
          const now = yield* Clock.currentTimeMillis
          const walk = yield* attempt(
            planned.ordered,
            // Read anew for each attempt: credits may have been granted since the last one.
            (candidate) =>
              Effect.flatMap(ledger.limitsOf(query.caller.account), (limits) =>
                paidFor(query, operation, limits, targets.get(candidate.id)!)
              ),
            {
              budget: {
                maxAttempts: settings.maxAttempts,
                deadlineAt: now + settings.totalDeadlineMillis
              },
              ended: (attempted) => {
                observer.attempted(attempted)
                return judge(attempted)
              }
            }
          )
          const { attempts, served, unaffordable } = walk
          if (served !== undefined) return { ...served, attempts }
          if (Arr.isReadonlyArrayNonEmpty(attempts)) {
            return yield* new AttemptsFailed({ models: query.models, attempts })
          }
          // Nothing was tried: there was nobody, or a limit stopped everybody.
          return yield* unaffordable === undefined
            ? new NoEndpoints({ models: query.models, rejected: planned.rejected })
            : Effect.fail(unaffordable)
        })
      }
    })
  )
}

const candidatesOf = (model: Model, upstreams: Upstreams["Service"]): ReadonlyArray<Candidate> => {
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

/** A model never changes, so its candidates are made once. */
const candidatesByModel = new WeakMap<Model, ReadonlyArray<Candidate>>()

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

/** What an ended attempt cost; undefined when nothing was spent or nothing is known of it. */
const spentOn = <A>(
  { endpoint }: Candidate,
  exit: Exit.Exit<Served<A>, UpstreamFailure>
): NanoUsd.NanoUsd | undefined => {
  if (Exit.isSuccess(exit)) return exit.value.cost
  const usage = Exit.findErrorOption(exit)
  return usage._tag === "Some" && usage.value.usage !== undefined
    ? costOf(endpoint.price, usage.value.usage)
    : undefined
}
