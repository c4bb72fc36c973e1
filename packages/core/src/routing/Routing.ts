/** Takes a request to an upstream: candidates, plan, reservations, attempts, health. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountStore } from "../accounts/AccountStore.ts"
import type { Caller } from "../auth/Caller.ts"
import type { Credentials } from "../byok/Credentials.ts"
import type { Catalog } from "../catalog/Catalog.ts"
import type { Model } from "../catalog/Model.ts"
import type { Guardrails } from "../guardrails/Guardrails.ts"
import { Health } from "../health/Health.ts"
import { ModelUsage } from "../health/ModelUsage.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { LimitExceeded } from "../ledger/LedgerErrors.ts"
import type { Limit } from "../ledger/Limit.ts"
import { Settings } from "../Settings.ts"
import { blameUpstream } from "../upstreams/containUpstream.ts"
import { UpstreamDefect } from "../upstreams/UpstreamDefect.ts"
import type { WorkspaceStore } from "../workspaces/WorkspaceStore.ts"
import { attempt } from "./attempt.ts"
import type { Attempted } from "./Attempted.ts"
import { bounding } from "./bounding.ts"
import type { Candidate } from "./Candidate.ts"
import { contextLengthExceeded } from "./contextLengthExceeded.ts"
import { droppedById } from "./droppedParameters.ts"
import { isRefusedForGood } from "./isRefusedForGood.ts"
import { onOwnCredential } from "./onOwnCredential.ts"
import { outcomeOf } from "./outcomeOf.ts"
import { preparing } from "./preparing.ts"
import type { Observer, Offer, Operation, Planned, Query, Replay, Routed, Target } from "./Query.ts"
import { reserving } from "./reserving.ts"
import { restricting } from "./restricting.ts"
import {
  AttemptsFailed,
  type ContextLengthExceeded,
  type ModelNotFound,
  NoEndpoints,
  OutOfTime,
  type WrongOperation
} from "./RoutingErrors.ts"
import { RoutingRules } from "./RoutingRules.ts"
import type { SpendLimits } from "./SpendLimits.ts"
import { makeDropWarnings } from "./makeDropWarnings.ts"
import { tellingOwners } from "./tellingOwners.ts"
import { withAttemptSpan } from "./withAttemptSpan.ts"

/** How routing fails. */
export type RoutingError =
  | ModelNotFound
  | WrongOperation
  | NoEndpoints
  | ContextLengthExceeded
  | AttemptsFailed
  | OutOfTime
  | LimitExceeded

/** Plans requests and runs their attempts. */
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
     * to have used, else the estimated prompt; the rest of its reservation is released.
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
      const health = yield* Health
      const usage = yield* ModelUsage
      const settings = yield* Settings
      const { failureRules } = yield* RoutingRules
      const scope = yield* Effect.scope
      const prepare = yield* preparing
      const reserve = yield* reserving
      const restrictionsOn = yield* restricting
      const tellOwner = yield* tellingOwners
      const warnDropped = makeDropWarnings()

      const countUsage = (attempted: Attempted): void => {
        const { brokenOff, candidate, failure, latencyMillis, startedAt, usage: used } = attempted
        if (used === undefined || failure !== undefined || brokenOff !== undefined) return
        usage.record(candidate.endpoint.model, used, startedAt + latencyMillis)
      }

      return {
        boundsOf: yield* bounding,
        plan: (query, replay) => Effect.map(prepare(query, replay), ({ planned }) => planned),
        route: Effect.fnUntraced(function* (query, operation, observer) {
          const { caller, models } = query
          const { maxAttempts, maxCredentialAttempts, maxRefusedCredentials } = settings
          const totalDeadlineMillis = query.deadlineMillis ?? settings.totalDeadlineMillis
          const deadlineAt = (yield* Clock.currentTimeMillis) + totalDeadlineMillis
          const { planned, prospects } = yield* Effect.timeoutOrElse(prepare(query), {
            duration: totalDeadlineMillis,
            orElse: () => Effect.fail(new OutOfTime({ models }))
          })
          observer.planned(planned)
          const { limits } = planned
          const { ordered, rejected } = planned.plan
          // A plan orders the candidates it was given, which are those of the prospects.
          const prospectOf = ({ id }: Candidate) => prospects.get(id)!
          /** The ids of the candidates whose provider was asked. */
          const asked = new Set<string>()
          const dropped = droppedById(planned.plan)
          let isFirst = true
          const { attempts, isFinal, outOfTime, refusal, served } = yield* attempt(
            ordered,
            {
              claim: ({ id }) => health.claim(id),
              reserve: (candidate, now) => {
                const prospect = prospectOf(candidate)
                const reserveUnder = (limits: ReadonlyArray<Limit>) =>
                  blameUpstream(
                    Effect.flatMap(operation.measure ?? Effect.void, () =>
                      reserve(query, operation, prospect, { limits, now, rejected })
                    )
                  )
                if (!isFirst) {
                  // Credits may have been granted since.
                  return Effect.flatMap(restrictionsOn(caller), (latest) =>
                    reserveUnder(latest.limits)
                  )
                }
                isFirst = false
                return limits.length === 0 || operation.worstCase === undefined
                  ? undefined
                  : reserveUnder(limits)
              },
              run: (candidate, spent, commit) => {
                const { usable, ...target } = prospectOf(candidate)
                const ask = (at: Target<typeof target.capability>) =>
                  Effect.suspend(() => {
                    asked.add(candidate.id)
                    return operation.run(at, spent, commit)
                  })
                const running = withAttemptSpan(
                  usable === undefined
                    ? ask(target)
                    : onOwnCredential(usable, (credential) => ask({ ...target, credential })),
                  query.operation,
                  candidate
                )
                const unsent = dropped.get(candidate.id)
                return unsent === undefined
                  ? running
                  : Effect.andThen(warnDropped(candidate, unsent, query.demand.ignored), running)
              },
              expected: (candidate) => {
                const target = prospectOf(candidate)
                return {
                  atMost: () => ifKnown(() => operation.worstCase?.(target)),
                  asked: () =>
                    asked.has(candidate.id) ? ifKnown(() => operation.asked?.(target)) : undefined,
                  maxUsageMultiple: settings.maxStatedUsageMultiple,
                  maxCostMultiple: settings.maxStatedCostMultiple
                }
              }
            },
            {
              budget: {
                maxAttempts,
                maxCredentialAttempts,
                maxRefusedCredentials,
                deadlineAt,
                streamMillis: settings.streamDeadlineMillis
              },
              failureRules,
              mayFallBack: operation.mayFallBack,
              paid: (attempted) => observer.paid?.(attempted) ?? Effect.void,
              ended: (attempted) => {
                observer.attempted(attempted)
                countUsage(attempted)
                return warned(attempted).pipe(
                  Effect.andThen(
                    health.record(outcomeOf(attempted, { failureRules, totalDeadlineMillis }))
                  ),
                  Effect.andThen(tellOwner(attempted, prospectOf(attempted.candidate)))
                )
              },
              scope
            }
          )
          if (served !== undefined) return { ...served, attempts }
          const isOver = outOfTime === true || isFinal === true
          // With credentials that stay refused, only what shared capacity lacks would help.
          if (refusal !== undefined && !isOver && attempts.every(isRefusedForGood)) {
            return yield* refusal
          }
          if (Arr.isReadonlyArrayNonEmpty(attempts)) {
            return yield* new AttemptsFailed({ models, attempts, isFinal: isFinal === true })
          }
          // Nothing was tried: there was no time, or there was nobody.
          if (outOfTime === true) return yield* new OutOfTime({ models })
          return yield* (
            contextLengthExceeded(models, rejected, query.demand) ??
              new NoEndpoints({ models, rejected })
          )
        })
      }
    })
  )
}

/** What an upstream's own code cannot say is unknown. */
const ifKnown = <A>(work: () => A): A | undefined => {
  try {
    return work()
  } catch (defect) {
    if (defect instanceof UpstreamDefect) return undefined
    throw defect
  }
}

const warned = ({ candidate, implausible }: Attempted): Effect.Effect<void> => {
  if (implausible === undefined) return Effect.void
  const { atMost, stated, what } = implausible
  return Effect.logWarning(
    `${candidate.endpoint.id} states ${what} of ${stated}, which cannot be: ${atMost} is charged at most`
  )
}
