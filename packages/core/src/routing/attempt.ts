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
import type { Reservation } from "../ledger/Ledger.ts"
import { reserveWithin } from "../ledger/reserveWithin.ts"
import { requestsOf, sumUsage, type TokenUsage } from "../values/TokenUsage.ts"
import { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import type { NanoUsd } from "../values/NanoUsd.ts"
import type { Attempted } from "./Attempted.ts"
import { type Candidate, isByok } from "./Candidate.ts"
import type { FailureRules } from "./failureRules.ts"
import { isCredentialRefused } from "./isCredentialRefused.ts"
import { type Expected, type Heard, assessCharge } from "./assessCharge.ts"

/** What a successful attempt brought. */
export interface Served<A> {
  readonly value: A
  readonly usage?: TokenUsage
  /** True where `usage` is an estimate: the upstream does not say. */
  readonly isEstimated?: true
  readonly cost?: NanoUsd
  /** As the upstream names the model that answered. */
  readonly model?: string
  /** How long in milliseconds its reader made it wait; absent: not at all. */
  readonly heldUpMillis?: number
}

/** Hears what an attempt has used, and whether that is an estimate. */
export type SpentListener = (usage: TokenUsage, isEstimated?: boolean) => void

export interface Walk<A, Refusal> {
  /** Every attempt made, in order; the last one served if `served` is there. */
  readonly attempts: ReadonlyArray<Attempted>
  readonly served?: { readonly candidate: Candidate; readonly value: A }
  /** Why the last of those passed over was passed over. */
  readonly refusal?: Refusal
  /** The last failure is of a kind that its model is not asked again after. */
  readonly isFinal?: true
  /** The time was over before the plan was. */
  readonly outOfTime?: true
}

export interface Budget {
  /** Endpoints that may be tried. */
  readonly maxAttempts: number
  /** Further attempts at endpoints tried already, with another credential. */
  readonly maxCredentialAttempts: number
  /** Attempts that may be refused to customers' own credentials. */
  readonly maxRefusedCredentials: number
  /** Milliseconds since the epoch after which no attempt starts and one that has not committed is interrupted. */
  readonly deadlineAt: number
  /** How long in milliseconds one that has committed may take. */
  readonly streamMillis: number
}

/** What an attempt at one candidate does. */
export interface Work<A, Refusal, R> {
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
    spent: SpentListener,
    commit: Effect.Effect<void>
  ) => Effect.Effect<Served<A>, UpstreamFailure, R>
  /** What its provider's statements are judged by, and what counts where there are none; absent: nothing. */
  readonly expected?: (candidate: Candidate) => Expected
}

export interface Engine {
  readonly budget: Budget
  readonly failureRules: FailureRules
  /** Whether somebody else may be asked after it, where the rules say so; absent: always. */
  readonly mayFallBack?: ((failure: UpstreamFailure) => boolean) | undefined
  /** Hears of every attempt as it ends, those that failed or were broken off too. */
  readonly ended: (attempted: Attempted) => Effect.Effect<void>
  /**
   * Hears of every attempt whose cost is charged, once and when it is: what could not be settled is not told,
   * for its reservation lapses into a charge that is counted there.
   */
  readonly paid: (attempted: Attempted) => Effect.Effect<void>
  /** Where reservations nobody waits for any more are awaited and released. */
  readonly scope: Scope.Scope
}

/** Tries `candidates` in order. */
export const attempt: <A, Refusal, R>(
  candidates: ReadonlyArray<Candidate>,
  work: Work<A, Refusal, R>,
  engine: Engine
) => Effect.Effect<Walk<A, Refusal>, never, R> = Effect.fnUntraced(function* <A, Refusal, R>(
  candidates: ReadonlyArray<Candidate>,
  work: Work<A, Refusal, R>,
  engine: Engine
): Effect.fn.Return<Walk<A, Refusal>, never, R> {
  const { budget, failureRules, mayFallBack = constTrue } = engine
  const attempts: Array<Attempted> = []
  let refused: { readonly refusal?: Refusal } = {}
  const passedOver: Array<Candidate> = []
  /** Models for which the fault is the request's own, whoever serves them. */
  const refusing = new Set<string>()
  let isFinal = false
  const queue = [...candidates]
  for (let position = 0; ; position++) {
    const isForced = position === candidates.length
    if (isForced) {
      // Others claimed the probes first, and nobody else was left: then the best is asked all the same.
      if (attempts.length > 0) break
      queue.push(...passedOver.slice(0, 1))
    }
    const candidate = queue[position]
    if (candidate === undefined) break
    if (refusing.has(candidate.endpoint.model) || isExhausted(budget, attempts, candidate)) continue
    if (isTooLong(candidate, attempts)) continue
    if (!isForced && !(yield* work.claim(candidate))) {
      passedOver.push(candidate)
      continue
    }
    const isLast = !mayFollow(budget, attempts, candidates, position)
    const result = yield* Effect.result(
      Effect.uninterruptibleMask((restore) => tryAt(candidate, work, engine, isLast, restore))
    )
    if (Result.isFailure(result)) {
      refused = { refusal: result.failure }
      continue
    }
    const tried = result.success
    if (tried === undefined) return { attempts, ...refused, outOfTime: true }
    attempts.push(tried.attempted)
    if (tried.served !== undefined) return { attempts, served: tried.served }
    const { failure, firstEventMillis } = tried.attempted
    if (failure === undefined) continue
    isFinal = !failureRules[failure.kind].fallback
    const isCommitted = firstEventMillis !== undefined
    if (isCommitted || !mayFallBack(failure)) return { attempts, ...refused, isFinal: true }
    if (isFinal) refusing.add(candidate.endpoint.model)
  }
  return { attempts, ...refused, ...(isFinal ? { isFinal } : undefined) }
})

/**
 * What is refused to a customer's own credential takes nothing of the endpoint's budget, and leaves
 * the endpoint to its other credentials and to shared capacity. A credential that its provider refuses
 * altogether is not tried at the provider's other endpoints.
 */
const isExhausted = (
  { maxAttempts, maxCredentialAttempts, maxRefusedCredentials }: Budget,
  attempts: ReadonlyArray<Tally>,
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
const isTooLong = ({ endpoint }: Candidate, attempts: ReadonlyArray<Tally>): boolean =>
  attempts.some(
    ({ candidate: { endpoint: tried }, failure }) =>
      failure?.kind === "context_length" &&
      tried.model === endpoint.model &&
      (tried.id === endpoint.id ||
        (endpoint.contextLength ?? Infinity) <= (tried.contextLength ?? 0))
  )

type Tally = Pick<Attempted, "candidate" | "failure">

/** Whether somebody behind `position` might still be tried if the candidate there fails. */
const mayFollow = (
  budget: Budget,
  attempts: ReadonlyArray<Tally>,
  candidates: ReadonlyArray<Candidate>,
  position: number
): boolean => {
  const candidate = candidates[position]
  if (candidate === undefined) return false
  const failed = [...attempts, { candidate }]
  return candidates.some((next, i) => i > position && !isExhausted(budget, failed, next))
}

interface Tried<A> {
  readonly attempted: Attempted
  readonly served?: { readonly candidate: Candidate; readonly value: A }
}

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * One attempt from its reservation to its record; undefined when there is no time to make it. Only the
 * waiting can be interrupted: what was done is paid for and recorded whole.
 */
const tryAt = Effect.fnUntraced(function* <A, Refusal, R>(
  candidate: Candidate,
  work: Work<A, Refusal, R>,
  { budget: { deadlineAt, streamMillis }, ended, paid, scope }: Engine,
  isLast: boolean,
  restore: Restore
): Effect.fn.Return<Tried<A> | undefined, Refusal, R> {
  const askedAt = yield* Clock.currentTimeMillis
  const patience = deadlineAt - askedAt
  if (patience <= 0) return undefined
  const reserving = work.reserve(candidate, askedAt)
  const reserved =
    reserving === undefined
      ? nothing
      : yield* Effect.catchIf(
          reserveWithin(reserving, patience, restore, scope),
          isUpstreamFailure,
          Effect.succeed
        )
  if (isUpstreamFailure(reserved)) {
    // Its own code could not say what it may cost: it is not asked, and that is its failure.
    const attempted: Attempted = {
      candidate,
      countedAt: askedAt,
      startedAt: askedAt,
      latencyMillis: 0,
      failure: reserved
    }
    yield* ended(attempted)
    return { attempted }
  }
  if (Option.isNone(reserved)) return undefined
  const reservation = reserved.value
  // From here on the time is the provider's; what the ledger took of it is not.
  const startedAt = reserving === undefined ? askedAt : yield* Clock.currentTimeMillis
  const left = deadlineAt - startedAt
  if (left <= 0) {
    if (reservation !== undefined) yield* reservation.release
    return undefined
  }

  let heard: Heard | undefined
  const spent: SpentListener = (usage, isEstimated = false) => {
    // What is no number of tokens has no price.
    if (!countsOf(usage).every(Number.isSafeInteger)) return
    heard = {
      usage: heard === undefined ? usage : sumUsage(heard.usage, usage),
      isEstimated: isEstimated || heard?.isEstimated === true
    }
  }
  let committedAt: number | undefined
  const commit = Effect.map(Clock.currentTimeMillis, (now) => {
    committedAt ??= now
  })
  // Half of the time stays for a fallback while there can be one.
  const patient = isLast ? left : Math.ceil(left / 2)
  const outOfTime = Effect.flatMap(Effect.sleep(patient), () =>
    committedAt === undefined
      ? Effect.fail(new UpstreamFailure({ kind: "timeout", phase: isLast ? "total" : "attempt" }))
      : Effect.delay(
          Effect.fail(new UpstreamFailure({ kind: "timeout", phase: "total" })),
          committedAt + streamMillis - startedAt - patient
        )
  )
  const exit = yield* Effect.exit(
    restore(Effect.raceFirst(work.run(candidate, spent, commit), outOfTime))
  )
  const latencyMillis = (yield* Clock.currentTimeMillis) - startedAt
  const attempted: Attempted = {
    candidate,
    countedAt: askedAt,
    startedAt,
    latencyMillis,
    ...(committedAt === undefined ? undefined : { firstEventMillis: committedAt - startedAt }),
    ...endOf(exit),
    ...heldUpIn(exit),
    ...assessCharge(candidate, exit, heard, work.expected?.(candidate))
  }
  if (reservation === undefined) yield* paid(attempted)
  else {
    const paying = pay(reservation, attempted, paid)
    yield* inTheTimeLeft(paying, deadlineAt - startedAt - latencyMillis, scope)
  }
  yield* ended(attempted)
  if (Exit.isSuccess(exit)) return { attempted, served: { candidate, value: exit.value.value } }
  // Neither an answer nor a failure: whoever interrupted, or a bug of ours, has the last word.
  if (attempted.failure === undefined) yield* Effect.orDie(exit)
  return { attempted }
})

const isUpstreamFailure = (error: unknown): error is UpstreamFailure =>
  error instanceof UpstreamFailure

const nothing: Option.Option<Reservation | undefined> = Option.some(undefined)

const countsOf = (usage: TokenUsage): ReadonlyArray<number> => [
  usage.inputTokens,
  usage.outputTokens,
  requestsOf(usage)
]

/** How an attempt ended, unless it served. */
const endOf = (
  exit: Exit.Exit<unknown, UpstreamFailure>
): Pick<Attempted, "failure" | "brokenOff"> => {
  if (Exit.isSuccess(exit)) return {}
  const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
  if (failure !== undefined) return { failure }
  return { brokenOff: Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : "defect" }
}

const heldUpIn = <A>(
  exit: Exit.Exit<Served<A>, UpstreamFailure>
): Pick<Attempted, "heldUpMillis"> =>
  Exit.isSuccess(exit) && exit.value.heldUpMillis !== undefined
    ? { heldUpMillis: exit.value.heldUpMillis }
    : {}

/** A ledger that fails now is no reason to lose an answer: it charges in full what nobody ended. */
const pay = (
  reservation: Reservation,
  attempted: Attempted,
  paid: Engine["paid"]
): Effect.Effect<void> => {
  const cost = attempted.upstreamCost ?? attempted.cost
  return Effect.matchCauseEffect(
    cost === undefined ? reservation.release : Effect.asVoid(reservation.settle(cost)),
    {
      onFailure: (cause) =>
        Effect.logError("a reservation could not be ended and will lapse into a charge", cause),
      onSuccess: () => paid(attempted)
    }
  )
}

/** Who answers does not wait for the ledger beyond the deadline; it is paid all the same. */
const inTheTimeLeft = Effect.fnUntraced(function* (
  paying: Effect.Effect<void>,
  millis: number,
  scope: Scope.Scope
) {
  const fiber = yield* Effect.forkIn(paying, scope, {
    startImmediately: true,
    uninterruptible: true
  })
  if (fiber.pollUnsafe() !== undefined) return
  yield* Effect.timeoutOption(Fiber.await(fiber), Math.max(millis, 0))
})
