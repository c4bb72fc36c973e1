/** Takes a request to an upstream: candidates, plan, reservations, attempts, health. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import { AccountStore } from "../accounts/AccountStore.ts"
import type { Caller } from "../auth/Caller.ts"
import { Credentials } from "../byok/Credentials.ts"
import type { Usable } from "../byok/Usable.ts"
import { Catalog } from "../catalog/Catalog.ts"
import type { Configuration, Resolved } from "../catalog/Configuration.ts"
import type { Model } from "../catalog/Model.ts"
import { costOf, isKnown } from "../catalog/Price.ts"
import { Guardrails } from "../guardrails/Guardrails.ts"
import { Health } from "../health/Health.ts"
import { ModelUsage } from "../health/ModelUsage.ts"
import { Ledger, type Reservation } from "../ledger/Ledger.ts"
import type { LimitExceeded } from "../ledger/LedgerErrors.ts"
import type { Limit } from "../ledger/Limit.ts"
import { Settings } from "../Settings.ts"
import type { Upstream } from "../upstreams/Upstream.ts"
import { WorkspaceStore } from "../workspaces/WorkspaceStore.ts"
import { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import { withoutSecrets } from "../upstreams/withoutSecrets.ts"
import { attempt } from "./attempt.ts"
import type { Attempted } from "./Attempted.ts"
import { barredBy } from "./Barred.ts"
import * as Candidate from "./Candidate.ts"
import { constraintsOf } from "./constraintsOf.ts"
import { hardRules, rejections } from "./eligible.ts"
import { isCredentialRefused } from "./isCredentialRefused.ts"
import { outcomesOf } from "./outcomesOf.ts"
import { type Plan, plan } from "./plan.ts"
import * as Preferences from "./Preferences.ts"
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
import { SpendLimits } from "./SpendLimits.ts"
import { withAttemptSpan } from "./withAttemptSpan.ts"

interface Prepared<Capability> {
  readonly planned: Planned
  readonly targets: ReadonlyMap<string, Prospect<Capability>>
  /** What the account's spending falls under, as it was when the plan was made. */
  readonly limits: ReadonlyArray<Limit>
}

/** A target before its credential is opened. */
interface Prospect<Capability> extends Omit<Target<Capability>, "credential"> {
  readonly usable?: Usable
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
    /** What the restrictions of an account and its guardrails leave of the models, whatever is asked of them. */
    readonly boundsOf: (caller: Caller) => Effect.Effect<(model: Model) => boolean>
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
    | AccountStore
    | Catalog
    | Credentials
    | Guardrails
    | Health
    | Ledger
    | ModelUsage
    | SpendLimits
    | WorkspaceStore
  > = Layer.effect(
    Routing,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const catalog = yield* Catalog
      const guardrails = yield* Guardrails
      const credentials = yield* Credentials
      const health = yield* Health
      const ledger = yield* Ledger
      const usage = yield* ModelUsage
      const workspaces = yield* WorkspaceStore
      const settings = yield* Settings
      const spendLimits = yield* SpendLimits
      const { failureRules, strategy } = yield* RoutingRules
      const scope = yield* Effect.scope

      /** A model never changes, so its candidates are made once for each operation. */
      const candidatesByOperation = new Map<
        string,
        WeakMap<Model, ReadonlyArray<Candidate.Candidate>>
      >()
      const candidatesOf = (
        model: Model,
        { upstreams }: Configuration,
        { capability, operation }: Asking
      ): ReadonlyArray<Candidate.Candidate> => {
        let candidatesByModel = candidatesByOperation.get(operation)
        if (candidatesByModel === undefined) {
          candidatesByModel = new WeakMap()
          candidatesByOperation.set(operation, candidatesByModel)
        }
        const known = candidatesByModel.get(model)
        if (known !== undefined) return known
        const candidates = model.endpoints.map((endpoint) => {
          const upstream = upstreams.get(endpoint.provider)
          const needsOneOf = upstream === undefined ? undefined : capability(upstream)?.needsOneOf
          return Candidate.make({
            endpoint,
            providerName: upstream?.name ?? endpoint.provider,
            distillable: model.distillable,
            ...(model.card.canonical_slug === model.id
              ? undefined
              : { canonicalModel: model.card.canonical_slug }),
            ...(needsOneOf === undefined ? undefined : { needsOneOf })
          })
        })
        candidatesByModel.set(model, candidates)
        return candidates
      }

      const targetsOf = <Capability extends Offer>(
        query: Query<Capability>,
        configuration: Configuration,
        resolved: ReadonlyArray<Resolved>,
        brought: ReadonlyArray<Usable>
      ): ReadonlyMap<string, Prospect<Capability>> => {
        const targets = new Map<string, Prospect<Capability>>()
        for (const { model } of resolved) {
          for (const candidate of candidatesOf(model, configuration, query)) {
            const upstream = configuration.upstreams.get(candidate.endpoint.provider)
            const capability = upstream === undefined ? undefined : query.capability(upstream)
            if (capability === undefined) continue
            targets.set(candidate.id, { candidate, capability })
            if (brought.length === 0 || capability.ignoresCredentials === true) continue
            for (const { copy, usable } of copiesOf(candidate, brought)) {
              targets.set(copy.id, { candidate: copy, capability, usable })
            }
          }
        }
        return targets
      }

      /** What the workspace sorts by; looked up only for requests that leave it open. */
      const defaultSortOf = <Capability extends Offer>({
        caller: { account, workspace },
        preferences
      }: Query<Capability>): Effect.Effect<Preferences.Sort | undefined> =>
        Preferences.isOrdering(preferences)
          ? Effect.undefined
          : Effect.map(workspaces.find(account, workspace), (found) =>
              found?.id === workspace ? (found.default_provider_sort ?? undefined) : undefined
            )

      const prepare = Effect.fnUntraced(function* <Capability extends Offer>(
        query: Query<Capability>,
        replay: Replay = {}
      ) {
        const configuration = catalog.current()
        const stranger = query.models.find((slug) => configuration.resolve(slug) === undefined)
        if (stranger !== undefined) return yield* new ModelNotFound({ model: stranger })
        const resolved = Arr.map(query.models, (slug) => configuration.resolve(slug)!)
        const { account } = query.caller
        const brought = yield* credentials.usable(
          query.caller,
          resolved.map(({ model }) => model),
          configuration
        )
        const targets = targetsOf(query, configuration, resolved, brought)
        const isServed = resolved.some(({ model }) => model.endpoints.length > 0)
        if (targets.size === 0 && isServed) {
          return yield* new WrongOperation({ model: query.models[0], operation: query.operation })
        }
        const restricting = yield* guardrails.effective(query.caller)
        const limits = yield* spendLimits.of(query.caller, restricting)
        const seed = replay.seed ?? (yield* Random.nextInt)
        const snapshot = replay.health ?? (yield* health.snapshot(targets.keys()))
        const models = Arr.map(resolved, requested)
        const defaultSort = yield* defaultSortOf(query)
        const barred = brought.length === 0 ? undefined : barredBy(brought)
        const planned: Planned = {
          plan: plan({
            models,
            candidates: Array.from(targets.values(), ({ candidate }) => candidate),
            preferences: query.preferences,
            constraints: constraintsOf(yield* accounts.find(account), limits, restricting),
            demand: query.demand,
            health: snapshot,
            minSamples: settings.rankMinSamples,
            seed,
            strategy,
            ...(defaultSort === undefined ? undefined : { defaultSort }),
            ...(query.pin === undefined ? undefined : { pin: query.pin }),
            ...(barred === undefined ? undefined : { barred })
          }),
          models: models.map(({ id }) => id),
          configuration: configuration.version,
          seed,
          health: snapshot
        }
        return { planned, targets, limits } satisfies Prepared<Capability>
      })

      /** Sets aside the worst case of an attempt under `limits`. */
      const reserve = <Capability extends Offer, A, R>(
        { caller, models }: Query<Capability>,
        operation: Operation<Capability, A, R>,
        target: Prospect<Capability>,
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

      const limitsOf = (caller: Caller) =>
        Effect.flatMap(guardrails.effective(caller), (restricting) =>
          spendLimits.of(caller, restricting)
        )

      const claim = (candidate: Candidate.Candidate): Effect.Effect<boolean> => {
        const shared = health.claim(candidate.endpoint.id)
        // Its attempt may be the endpoint's probe, and is made whether or not it is.
        return Candidate.isByok(candidate)
          ? Effect.andThen(shared, health.claim(candidate.id))
          : shared
      }

      const countUsage = (attempted: Attempted): void => {
        const { brokenOff, candidate, failure, latencyMillis, startedAt, usage: used } = attempted
        if (used === undefined || failure !== undefined || brokenOff !== undefined) return
        usage.record(candidate.endpoint.model, used, startedAt + latencyMillis)
      }

      const boundsOf = Effect.fnUntraced(function* (caller: Caller) {
        const { account } = caller
        const restricting = yield* guardrails.effective(caller)
        const limits = yield* spendLimits.of(caller, restricting)
        const configuration = catalog.current()
        const brought = yield* credentials.usable(caller, configuration.models, configuration)
        const barred = barredBy(brought)
        const rules = hardRules({
          ...(barred === undefined ? undefined : { barred }),
          models: [],
          preferences: Preferences.none,
          constraints: constraintsOf(yield* accounts.find(account), limits, restricting),
          demand: { parameters: [], inputTokens: 0, outputTokens: 0 }
        })
        const isFree = (candidate: Candidate.Candidate) => rejections(candidate, rules).length === 0
        return (model: Model) =>
          candidatesOf(model, configuration, anything).some(
            (candidate) =>
              isFree(candidate) || copiesOf(candidate, brought).some(({ copy }) => isFree(copy))
          )
      })

      return {
        boundsOf,
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
              claim,
              reserve: (candidate) => {
                const target = targetOf(candidate)
                const under = (all: ReadonlyArray<Limit>) =>
                  reserve(query, operation, target, {
                    limits: countingFor(candidate, all),
                    rejected
                  })
                if (!isFirst) {
                  // Credits may have been granted since.
                  return Effect.flatMap(limitsOf(query.caller), under)
                }
                isFirst = false
                return limits.length === 0 ? undefined : under(limits)
              },
              run: (candidate, spent) => {
                const { usable, ...target } = targetOf(candidate)
                const attempting =
                  usable === undefined
                    ? operation.run(target, spent)
                    : Effect.flatMap(Effect.mapError(usable.secret, unopened), (credential) =>
                        Effect.mapError(
                          operation.run({ ...target, credential }, spent),
                          (failure) => discreet(failure, credential)
                        )
                      )
                return withAttemptSpan(attempting, query.operation, candidate)
              }
            },
            {
              budget: { maxAttempts, maxCredentialAttempts, deadlineAt },
              failureRules,
              ended: (attempted) => {
                observer.attempted(attempted)
                countUsage(attempted)
                return Effect.andThen(
                  Effect.forEach(
                    outcomesOf(attempted, { failureRules, totalDeadlineMillis }),
                    health.record,
                    { discard: true }
                  ),
                  noted(attempted, targetOf(attempted.candidate))
                )
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

/** What customers pay their providers themselves counts where a limit says so. */
const countingFor = (
  candidate: Candidate.Candidate,
  limits: ReadonlyArray<Limit>
): ReadonlyArray<Limit> =>
  Candidate.isByok(candidate) ? limits.filter(({ countsByok }) => countsByok) : limits

/** For whom candidates are made. */
interface Asking {
  readonly operation: string
  readonly capability: (upstream: Upstream) => Offer | undefined
}

/** The copies of a shared candidate on the credentials that are for it. */
const copiesOf = (shared: Candidate.Candidate, brought: ReadonlyArray<Usable>) =>
  brought.flatMap((usable) => {
    const { credential, models } = usable
    const { model, provider } = shared.endpoint
    if (!models.has(model) || credential.provider !== provider.toLowerCase()) return []
    const { declared_zdr, id, is_fallback, sort_order } = credential
    const copy = Candidate.withCredential(shared, {
      id,
      isFallback: is_fallback,
      sortOrder: sort_order,
      declaredZdr: declared_zdr
    })
    return [{ copy, usable }]
  })

/** An upstream of the host's own may repeat what it was called with. */
const discreet = (failure: UpstreamFailure, credential: Redacted.Redacted): UpstreamFailure => {
  const { detail, kind, phase, retryAfterMillis, status, usage } = failure
  if (detail === undefined) return failure
  const said = withoutSecrets(detail, [Redacted.value(credential)])
  return said === detail
    ? failure
    : new UpstreamFailure({
        kind,
        detail: said,
        ...(phase === undefined ? undefined : { phase }),
        ...(retryAfterMillis === undefined ? undefined : { retryAfterMillis }),
        ...(status === undefined ? undefined : { status }),
        ...(usage === undefined ? undefined : { usage })
      })
}

/** Refused like one that the upstream refuses: the next credential may do. */
const unopened = (): UpstreamFailure =>
  new UpstreamFailure({ kind: "credential_refused", detail: "the credential could not be opened" })

/** The owner of a credential is told that it was refused. */
const noted = (
  attempted: Attempted,
  { usable }: { readonly usable?: Usable }
): Effect.Effect<void> => {
  const { failure, latencyMillis, startedAt } = attempted
  if (usable === undefined || failure === undefined || !isCredentialRefused(attempted)) {
    return Effect.void
  }
  const { kind, status } = failure
  return usable.refused({ at: startedAt + latencyMillis, kind, status })
}

const anything: Asking = { operation: "anything", capability: () => undefined }

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
