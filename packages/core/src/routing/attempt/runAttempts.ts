/**
 * The one owner of fallbacks: walks a plan until an attempt succeeds, under one attempt budget and
 * one time budget. Generic over what an attempt yields: an answer, or a stream that has committed
 * (`openStream.ts`). Nothing underneath retries.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { constTrue } from "effect/Function"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { Reservation } from "../../ledger/Ledger.ts"
import { reserveWithTimeout } from "../../ledger/reserveWithTimeout.ts"
import { getRequestCount, sumUsage, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import type { NanoUsd } from "../../values/usage/NanoUsd.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import { type Candidate, isByok } from "../Candidate.ts"
import type { FailureRules } from "./failureRules.ts"
import { isCredentialRefused } from "./isCredentialRefused.ts"
import { type UsageBounds, type ObservedUsage, assessCharge } from "./assessCharge.ts"

/** What a successful attempt brought. */
export interface AttemptSuccess<A> {
  readonly value: A
  readonly usage?: TokenUsage
  /** True where `usage` is an estimate: the upstream does not say. */
  readonly isEstimated?: true
  readonly cost?: NanoUsd
  /** As the upstream names the model that answered. */
  readonly model?: string
  /** How long in milliseconds its reader made it wait; absent: not at all. */
  readonly backpressureMillis?: number
}

/** Hears what an attempt has used, and whether that is an estimate. */
export type UsageReporter = (usage: TokenUsage, isEstimated?: boolean) => void

export interface AttemptsResult<A, Refusal> {
  /** Every attempt made, in order; the last one served if `served` is there. */
  readonly attempts: ReadonlyArray<RouteAttempt>
  readonly served?: { readonly candidate: Candidate; readonly value: A }
  /** Why the last of those passed over was passed over. */
  readonly reservationError?: Refusal
  /** The last failure is of a kind that its model is not asked again after. */
  readonly isFinal?: true
  /** The time was over before the plan was. */
  readonly isTimedOut?: true
}

export interface AttemptBudget {
  /** Endpoints that may be tried. */
  readonly maxAttempts: number
  /** Further attempts at endpoints tried already, with another credential. */
  readonly maxCredentialAttempts: number
  /** Attempts that may be refused to customers' own credentials. */
  readonly maxRefusedCredentials: number
  /** Milliseconds since the epoch after which no attempt starts and one that has not committed is interrupted. */
  readonly deadlineAt: number
  /** How long in milliseconds one that has committed may take. */
  readonly streamTimeoutMillis: number
}

/** What an attempt at one candidate does. */
export interface AttemptHandlers<A, Refusal, R> {
  /** Whether it may be tried now; false passes it over, unless nobody else is left. */
  readonly claim: (candidate: Candidate) => Effect.Effect<boolean>
  /**
   * Sets aside what it may cost; whom it refuses is passed over, and an `UpstreamFailure` is that of an attempt.
   * Undefined, and without any waiting, when nothing is to be set aside. `now` says in which windows it counts.
   */
  readonly reserve: (
    candidate: Candidate,
    now: number
  ) => Effect.Effect<Reservation | undefined, Refusal | UpstreamFailure> | undefined
  /**
   * Whoever tells `spent` anything tells it all that was used, request by request. After `commit` the caller
   * has a part of the answer: then nobody else is asked, whatever happens.
   */
  readonly run: (
    candidate: Candidate,
    spent: UsageReporter,
    commit: Effect.Effect<void>
  ) => Effect.Effect<AttemptSuccess<A>, UpstreamFailure, R>
  /** What its provider's statements are judged by, and what counts where there are none; absent: nothing. */
  readonly getUsageBounds?: (candidate: Candidate) => UsageBounds
}

export interface AttemptOptions {
  readonly budget: AttemptBudget
  readonly failureRules: FailureRules
  /** Whether somebody else may be asked after it, where the rules say so; absent: always. */
  readonly canFallBack?: ((failure: UpstreamFailure) => boolean) | undefined
  /** Hears of every attempt as it ends, those that failed or were broken off too. */
  readonly onEnd: (attempted: RouteAttempt) => Effect.Effect<void>
  /**
   * Hears of every attempt whose cost is charged, once and when it is: what could not be settled is not told,
   * for its reservation lapses into a charge that is counted there.
   */
  readonly onCharge: (attempted: RouteAttempt) => Effect.Effect<void>
  /** Where reservations nobody waits for any more are awaited and released. */
  readonly scope: Scope.Scope
}

/** Tries `candidates` in order. */
export const runAttempts: <A, Refusal, R>(
  candidates: ReadonlyArray<Candidate>,
  work: AttemptHandlers<A, Refusal, R>,
  engine: AttemptOptions
) => Effect.Effect<AttemptsResult<A, Refusal>, never, R> = Effect.fnUntraced(function* <
  A,
  Refusal,
  R
>(
  candidates: ReadonlyArray<Candidate>,
  work: AttemptHandlers<A, Refusal, R>,
  engine: AttemptOptions
): Effect.fn.Return<AttemptsResult<A, Refusal>, never, R> {
  const { budget, failureRules, canFallBack = constTrue } = engine
  const attempts: Array<RouteAttempt> = []
  let reservationFailure: { readonly reservationError?: Refusal } = {}
  const unclaimed: Array<Candidate> = []
  /** Models for which the fault is the request's own, whoever serves them. */
  const unservableModels = new Set<string>()
  let isFinal = false
  const queue = [...candidates]
  for (let position = 0; ; position++) {
    const isForced = position === candidates.length
    if (isForced) {
      // Others claimed the probes first, and nobody else was left: then the best is asked all the same.
      if (attempts.length > 0) break
      queue.push(...unclaimed.slice(0, 1))
    }
    const candidate = queue[position]
    if (candidate === undefined) break
    if (unservableModels.has(candidate.endpoint.model) || isExhausted(budget, attempts, candidate))
      continue
    if (isContextExceeded(candidate, attempts)) continue
    if (!isForced && !(yield* work.claim(candidate))) {
      unclaimed.push(candidate)
      continue
    }
    const isLast = !hasFallback(budget, attempts, candidates, position)
    const result = yield* Effect.result(
      Effect.uninterruptibleMask((restore) => runAttempt(candidate, work, engine, isLast, restore))
    )
    if (Result.isFailure(result)) {
      reservationFailure = { reservationError: result.failure }
      continue
    }
    const outcome = result.success
    if (outcome === undefined) return { attempts, ...reservationFailure, isTimedOut: true }
    attempts.push(outcome.attempted)
    if (outcome.served !== undefined) return { attempts, served: outcome.served }
    const { failure, firstEventMillis } = outcome.attempted
    if (failure === undefined) continue
    isFinal = !failureRules[failure.kind].fallback
    const isCommitted = firstEventMillis !== undefined
    if (isCommitted || !canFallBack(failure))
      return { attempts, ...reservationFailure, isFinal: true }
    if (isFinal) unservableModels.add(candidate.endpoint.model)
  }
  return { attempts, ...reservationFailure, ...(isFinal ? { isFinal } : undefined) }
})

/**
 * What is refused to a customer's own credential takes nothing of the endpoint's budget, and leaves
 * the endpoint to its other credentials and to shared capacity. A credential that its provider refuses
 * altogether is not tried at the provider's other endpoints.
 */
const isExhausted = (
  { maxAttempts, maxCredentialAttempts, maxRefusedCredentials }: AttemptBudget,
  attempts: ReadonlyArray<AttemptSummary>,
  candidate: Candidate
): boolean => {
  if (attempts.length === 0) return false
  const tried = new Set<string>()
  let refused = 0
  for (const attempted of attempts) {
    if (!isCredentialRefused(attempted)) {
      tried.add(attempted.candidate.endpoint.id)
      continue
    }
    refused += 1
    const isUseless = attempted.failure?.kind === "credential_refused"
    if (isUseless && attempted.candidate.credential?.id === candidate.credential?.id) return true
  }
  if (isByok(candidate) && refused >= maxRefusedCredentials) return true
  return tried.has(candidate.endpoint.id)
    ? attempts.length - refused - tried.size >= maxCredentialAttempts
    : tried.size >= maxAttempts
}

/** What is too long for one endpoint is too long for those of its model that are said to be no roomier. */
const isContextExceeded = (
  { endpoint }: Candidate,
  attempts: ReadonlyArray<AttemptSummary>
): boolean =>
  attempts.some(
    ({ candidate: { endpoint: tried }, failure }) =>
      failure?.kind === "context_length" &&
      tried.model === endpoint.model &&
      (tried.id === endpoint.id ||
        (endpoint.contextLength ?? Infinity) <= (tried.contextLength ?? 0))
  )

type AttemptSummary = Pick<RouteAttempt, "candidate" | "failure">

/** Whether somebody behind `position` might still be tried if the candidate there fails. */
const hasFallback = (
  budget: AttemptBudget,
  attempts: ReadonlyArray<AttemptSummary>,
  candidates: ReadonlyArray<Candidate>,
  position: number
): boolean => {
  const candidate = candidates[position]
  if (candidate === undefined) return false
  const failed = [...attempts, { candidate }]
  return candidates.some((next, i) => i > position && !isExhausted(budget, failed, next))
}

interface AttemptEnd<A> {
  readonly attempted: RouteAttempt
  readonly served?: { readonly candidate: Candidate; readonly value: A }
}

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * One attempt from its reservation to its record; undefined when there is no time to make it. Only the
 * waiting can be interrupted: what was done is paid for and recorded whole.
 */
const runAttempt = Effect.fnUntraced(function* <A, Refusal, R>(
  candidate: Candidate,
  work: AttemptHandlers<A, Refusal, R>,
  { budget: { deadlineAt, streamTimeoutMillis }, onEnd, onCharge, scope }: AttemptOptions,
  isLast: boolean,
  restore: Restore
): Effect.fn.Return<AttemptEnd<A> | undefined, Refusal, R> {
  const reservedAt = yield* Clock.currentTimeMillis
  const remainingMillis = deadlineAt - reservedAt
  if (remainingMillis <= 0) return undefined
  const reservationEffect = work.reserve(candidate, reservedAt)
  const reservationResult =
    reservationEffect === undefined
      ? noReservation
      : yield* Effect.catchIf(
          reserveWithTimeout(reservationEffect, remainingMillis, restore, scope),
          isUpstreamFailure,
          Effect.succeed
        )
  if (isUpstreamFailure(reservationResult)) {
    // Its own code could not say what it may cost: it is not asked, and that is its failure.
    const attempted: RouteAttempt = {
      candidate,
      chargedAt: reservedAt,
      startedAt: reservedAt,
      latencyMillis: 0,
      failure: reservationResult
    }
    yield* onEnd(attempted)
    return { attempted }
  }
  if (Option.isNone(reservationResult)) return undefined
  const reservation = reservationResult.value
  // From here on the time is the provider's; what the ledger took of it is not.
  const startedAt = reservationEffect === undefined ? reservedAt : yield* Clock.currentTimeMillis
  const attemptMillis = deadlineAt - startedAt
  if (attemptMillis <= 0) {
    if (reservation !== undefined) yield* reservation.release
    return undefined
  }

  let observedUsage: ObservedUsage | undefined
  const reportUsage: UsageReporter = (usage, isEstimated = false) => {
    // What is no number of tokens has no price.
    if (!toCounts(usage).every(Number.isSafeInteger)) return
    observedUsage = {
      usage: observedUsage === undefined ? usage : sumUsage(observedUsage.usage, usage),
      isEstimated: isEstimated || observedUsage?.isEstimated === true
    }
  }
  let committedAt: number | undefined
  const commit = Effect.map(Clock.currentTimeMillis, (now) => {
    committedAt ??= now
  })
  // Half of the time stays for a fallback while there can be one.
  const timeoutMillis = isLast ? attemptMillis : Math.ceil(attemptMillis / 2)
  const timeout = Effect.flatMap(Effect.sleep(timeoutMillis), () =>
    committedAt === undefined
      ? Effect.fail(new UpstreamFailure({ kind: "timeout", phase: isLast ? "total" : "attempt" }))
      : Effect.delay(
          Effect.fail(new UpstreamFailure({ kind: "timeout", phase: "total" })),
          committedAt + streamTimeoutMillis - startedAt - timeoutMillis
        )
  )
  const exit = yield* Effect.exit(
    restore(Effect.raceFirst(work.run(candidate, reportUsage, commit), timeout))
  )
  const latencyMillis = (yield* Clock.currentTimeMillis) - startedAt
  const attempted: RouteAttempt = {
    candidate,
    chargedAt: reservedAt,
    startedAt,
    latencyMillis,
    ...(committedAt === undefined ? undefined : { firstEventMillis: committedAt - startedAt }),
    ...toFailure(exit),
    ...toBackpressure(exit),
    ...assessCharge(candidate, exit, observedUsage, work.getUsageBounds?.(candidate))
  }
  if (reservation === undefined) yield* onCharge(attempted)
  else {
    const settlement = settleReservation(reservation, attempted, onCharge)
    yield* settleBeforeDeadline(settlement, deadlineAt - startedAt - latencyMillis, scope)
  }
  yield* onEnd(attempted)
  if (Exit.isSuccess(exit)) return { attempted, served: { candidate, value: exit.value.value } }
  // Neither an answer nor a failure: whoever interrupted, or a bug of ours, has the last word.
  if (attempted.failure === undefined) yield* Effect.orDie(exit)
  return { attempted }
})

const isUpstreamFailure = (error: unknown): error is UpstreamFailure =>
  error instanceof UpstreamFailure

const noReservation: Option.Option<Reservation | undefined> = Option.some(undefined)

const toCounts = (usage: TokenUsage): ReadonlyArray<number> => [
  usage.inputTokens,
  usage.outputTokens,
  getRequestCount(usage)
]

/** How an attempt ended, unless it served. */
const toFailure = (
  exit: Exit.Exit<unknown, UpstreamFailure>
): Pick<RouteAttempt, "failure" | "abortReason"> => {
  if (Exit.isSuccess(exit)) return {}
  const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
  if (failure !== undefined) return { failure }
  return { abortReason: Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : "defect" }
}

const toBackpressure = <A>(
  exit: Exit.Exit<AttemptSuccess<A>, UpstreamFailure>
): Pick<RouteAttempt, "backpressureMillis"> =>
  Exit.isSuccess(exit) && exit.value.backpressureMillis !== undefined
    ? { backpressureMillis: exit.value.backpressureMillis }
    : {}

/** A ledger that fails now is no reason to lose an answer: it charges in full what nobody ended. */
const settleReservation = (
  reservation: Reservation,
  attempted: RouteAttempt,
  onCharge: AttemptOptions["onCharge"]
): Effect.Effect<void> => {
  const cost = attempted.upstreamCost ?? attempted.cost
  return Effect.matchCauseEffect(
    cost === undefined ? reservation.release : Effect.asVoid(reservation.settle(cost)),
    {
      onFailure: (cause) =>
        Effect.logError("a reservation could not be ended and will lapse into a charge", cause),
      onSuccess: () => onCharge(attempted)
    }
  )
}

/** Who answers does not wait for the ledger beyond the deadline; it is paid all the same. */
const settleBeforeDeadline = Effect.fnUntraced(function* (
  settlement: Effect.Effect<void>,
  millis: number,
  scope: Scope.Scope
) {
  const fiber = yield* Effect.forkIn(settlement, scope, {
    startImmediately: true,
    uninterruptible: true
  })
  if (fiber.pollUnsafe() !== undefined) return
  yield* Effect.timeoutOption(Fiber.await(fiber), Math.max(millis, 0))
})
