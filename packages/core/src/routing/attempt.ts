/**
 * The one owner of fallbacks: walks a plan until an attempt succeeds, under one attempt budget and
 * one time budget. Generic over what an attempt yields: an answer, or a stream that has committed
 * (`openStream.ts`). Nothing underneath retries.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type { LimitExceeded } from "../ledger/LedgerErrors.ts"
import { sumUsage, type TokenUsage } from "../values/TokenUsage.ts"
import { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import type { NanoUsd } from "../values/NanoUsd.ts"
import type { Attempted } from "./Attempted.ts"
import type { Candidate } from "./Candidate.ts"
import type { FailureRules } from "./failureRules.ts"
import { costOf } from "../catalog/Price.ts"

/** What a successful attempt brought. */
export interface Served<A> {
  readonly value: A
  readonly usage?: TokenUsage
  readonly cost?: NanoUsd
}

export interface Walk<A> {
  /** Every attempt made, in order; the last one served if `served` is there. */
  readonly attempts: ReadonlyArray<Attempted>
  readonly served?: { readonly candidate: Candidate; readonly value: A }
  /** A candidate that was passed over because its worst case could not be paid. */
  readonly unaffordable?: LimitExceeded
  /** The last failure is of a kind that is not routed around. */
  readonly isFinal: boolean
  /** The time ran out before the walk did. */
  readonly outOfTime: boolean
}

export interface Budget {
  /** Endpoints that may be tried. */
  readonly maxAttempts: number
  /** Further attempts at endpoints already tried, with another credential. */
  readonly maxCredentialAttempts: number
  /** Milliseconds since the epoch after which no attempt starts and a running one is interrupted. */
  readonly deadlineAt: number
}

/** Money set aside for one attempt; ended once, whatever became of it. */
export interface Hold {
  readonly end: (attempted: Attempted) => Effect.Effect<void>
}

export interface Walker<A, R> {
  readonly budget: Budget
  readonly failureRules: FailureRules
  /** Whether an attempt may be made now; false passes the candidate over. */
  readonly claim: (candidate: Candidate) => Effect.Effect<boolean>
  /** A refusal, or nothing, means nothing is sent. Its time counts against nobody. */
  readonly hold: (candidate: Candidate) => Effect.Effect<Hold | undefined, LimitExceeded>
  /** `spent` hears of what was used as it becomes known: it is paid even if nothing comes of it. */
  readonly run: (
    candidate: Candidate,
    spent: (usage: TokenUsage) => void
  ) => Effect.Effect<Served<A>, UpstreamFailure, R>
  /** Hears of every attempt as it ends, the failed and the interrupted ones too. */
  readonly ended: (attempted: Attempted) => Effect.Effect<void>
}

/**
 * Tries `candidates` in order. While another may follow, an attempt gets half of the time that is
 * left, so that one that hangs leaves time for the next.
 */
export const attempt: <A, R>(
  candidates: ReadonlyArray<Candidate>,
  walker: Walker<A, R>
) => Effect.Effect<Walk<A>, never, R> = Effect.fnUntraced(function* <A, R>(
  candidates: ReadonlyArray<Candidate>,
  walker: Walker<A, R>
) {
  const { budget, claim, failureRules, hold } = walker
  const attempts: Array<Attempted> = []
  let unaffordable: LimitExceeded | undefined
  let isFinal = false
  let outOfTime = false
  const timeLeft = Effect.map(Clock.currentTimeMillis, (now) => budget.deadlineAt - now)

  const passedOver: Array<Candidate> = []
  const queue = [...candidates]
  let isForced = false
  for (let i = 0; ; i++) {
    if (i === queue.length) {
      // Others claimed the probes first, and nobody else was left: then the best is asked all the same.
      const [best] = passedOver
      if (isForced || best === undefined || attempts.length > 0) break
      isForced = true
      queue.push(best)
    }
    const candidate = queue[i]!
    if (isExhausted(budget, attempts, candidate)) break
    if (!isForced && !(yield* claim(candidate))) {
      passedOver.push(candidate)
      continue
    }
    const patience = yield* timeLeft
    const held =
      patience <= 0
        ? undefined
        : yield* Effect.timeoutOrElse(Effect.result(hold(candidate)), {
            duration: patience,
            orElse: () => Effect.undefined
          })
    if (held === undefined) {
      outOfTime = true
      break
    }
    if (Result.isFailure(held)) {
      unaffordable = held.failure
      continue
    }
    if (held.success === undefined) continue
    const left = yield* timeLeft
    const mayFollow = i < queue.length - 1 && attempts.length + 1 < budget.maxAttempts
    const once: Once<A, R> = {
      candidate,
      walker,
      hold: held.success,
      millis: mayFollow ? Math.ceil(left / 2) : Math.max(0, left)
    }
    const { attempted, exit } = yield* Effect.uninterruptibleMask((restore) =>
      makeAttempt(once, restore)
    )
    attempts.push(attempted)
    if (Exit.isSuccess(exit)) {
      return {
        attempts,
        served: { candidate, value: exit.value.value },
        isFinal: false,
        outOfTime
      } satisfies Walk<A>
    }
    isFinal = attempted.failure !== undefined && !failureRules[attempted.failure.kind].fallback
    if (isFinal) break
  }
  return {
    attempts,
    isFinal,
    outOfTime,
    ...(unaffordable === undefined ? undefined : { unaffordable })
  }
})

const isExhausted = (
  { maxAttempts, maxCredentialAttempts }: Budget,
  attempts: ReadonlyArray<Attempted>,
  { endpoint }: Candidate
): boolean => {
  const tried = new Set(attempts.map((attempted) => attempted.candidate.endpoint.id))
  return tried.has(endpoint.id)
    ? attempts.length - tried.size >= maxCredentialAttempts
    : tried.size >= maxAttempts
}

interface Once<A, R> {
  readonly candidate: Candidate
  readonly walker: Walker<A, R>
  readonly hold: Hold
  readonly millis: number
}

/** One attempt with its accounts, which are kept whatever happens; only the upstream is interrupted. */
const makeAttempt = Effect.fnUntraced(function* <A, R>(
  { candidate, hold, millis, walker: { ended, run } }: Once<A, R>,
  restore: <B, E, R2>(effect: Effect.Effect<B, E, R2>) => Effect.Effect<B, E, R2>
) {
  let heard: TokenUsage | undefined
  const spent = (usage: TokenUsage): void => {
    heard = heard === undefined ? usage : sumUsage(heard, usage)
  }
  const startedAt = yield* Clock.currentTimeMillis
  const exit = yield* Effect.exit(
    restore(Effect.timeoutOrElse(run(candidate, spent), { duration: millis, orElse: cutShort }))
  )
  const latencyMillis = (yield* Clock.currentTimeMillis) - startedAt
  const came = Exit.isSuccess(exit)
    ? spentBy(exit.value)
    : failed(candidate, failureOf(exit.cause), heard)
  const attempted: Attempted = { candidate, startedAt, latencyMillis, ...came }
  yield* hold.end(attempted)
  yield* ended(attempted)
  // What is no failure of the upstream, an interruption or a defect, goes on as what it is.
  const others = Exit.isSuccess(exit) ? [] : exit.cause.reasons.filter(isNoFailure)
  if (others.length > 0) return yield* Effect.failCause(Cause.fromReasons<never>(others))
  return { attempted, exit }
})

const isNoFailure = <E>(reason: Cause.Reason<E>): reason is Cause.Die | Cause.Interrupt =>
  !Cause.isFailReason(reason)

const cutShort = () => Effect.fail(new UpstreamFailure({ kind: "timeout", phase: "total" }))

const spentBy = <A>({ cost, usage }: Served<A>) => ({
  ...(usage === undefined ? undefined : { usage }),
  ...(cost === undefined ? undefined : { cost })
})

const failureOf = (cause: Cause.Cause<UpstreamFailure>): UpstreamFailure =>
  cause.reasons.find(Cause.isFailReason)?.error ??
  new UpstreamFailure({ kind: Cause.hasInterruptsOnly(cause) ? "interrupted" : "server_error" })

/** A failed attempt is paid for as far as the upstream said what it used. */
const failed = (
  { endpoint }: Candidate,
  failure: UpstreamFailure,
  heard: TokenUsage | undefined
) => {
  const usage = failure.usage ?? heard
  if (usage === undefined) return { failure }
  const cost = costOf(endpoint.price, usage)
  return { failure, usage, ...(cost === undefined ? undefined : { cost }) }
}
