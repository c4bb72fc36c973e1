/**
 * The one owner of fallbacks: walks a plan until an attempt succeeds, under one attempt budget and
 * one time budget. Generic over what an attempt yields: an answer, or a stream that has committed
 * (`openStream.ts`). Nothing underneath retries.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { costOf } from "../catalog/Price.ts"
import type { LimitExceeded } from "../ledger/LedgerErrors.ts"
import type { TokenUsage } from "../values/TokenUsage.ts"
import { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import type { NanoUsd } from "../values/NanoUsd.ts"
import type { Attempted } from "./Attempted.ts"
import type { Candidate } from "./Candidate.ts"
import { failureRules } from "./failureRules.ts"

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
}

export interface Budget {
  readonly maxAttempts: number
  /** Milliseconds since the epoch after which no attempt starts and a running one is interrupted. */
  readonly deadlineAt: number
}

/** What an attempt at one candidate does. A refusal of the ledger means nothing was sent. */
export type Work<A, R> = (
  candidate: Candidate
) => Effect.Effect<Served<A>, UpstreamFailure | LimitExceeded, R>

/** Tries `candidates` in order; `ended` hears of every attempt as it ends, the failed ones too. */
export const attempt: <A, R>(
  candidates: ReadonlyArray<Candidate>,
  work: Work<A, R>,
  options: {
    readonly budget: Budget
    readonly ended: (attempted: Attempted) => Effect.Effect<void>
  }
) => Effect.Effect<Walk<A>, never, R> = Effect.fnUntraced(function* <A, R>(
  candidates: ReadonlyArray<Candidate>,
  work: Work<A, R>,
  {
    budget,
    ended
  }: {
    readonly budget: Budget
    readonly ended: (attempted: Attempted) => Effect.Effect<void>
  }
) {
  const attempts: Array<Attempted> = []
  let unaffordable: LimitExceeded | undefined
  for (const candidate of candidates) {
    const startedAt = yield* Clock.currentTimeMillis
    const left = budget.deadlineAt - startedAt
    if (attempts.length >= budget.maxAttempts || left <= 0) break
    const result = yield* Effect.result(
      Effect.timeoutOrElse(work(candidate), { duration: left, orElse: outOfTime })
    )
    const latencyMillis = (yield* Clock.currentTimeMillis) - startedAt
    if (Result.isSuccess(result)) {
      const { value, ...spent } = result.success
      const attempted = { candidate, startedAt, latencyMillis, ...spent }
      attempts.push(attempted)
      yield* ended(attempted)
      return { attempts, served: { candidate, value } } satisfies Walk<A>
    }
    if (result.failure._tag === "LimitExceeded") {
      unaffordable = result.failure
      continue
    }
    const attempted = { candidate, startedAt, latencyMillis, ...failed(candidate, result.failure) }
    attempts.push(attempted)
    yield* ended(attempted)
    if (!failureRules[result.failure.kind].fallback) break
  }
  return { attempts, ...(unaffordable === undefined ? undefined : { unaffordable }) }
})

const outOfTime = () => Effect.fail(new UpstreamFailure({ kind: "timeout", phase: "total" }))

/** A failed attempt is paid for as far as the upstream said what it used. */
const failed = ({ endpoint }: Candidate, failure: UpstreamFailure) => {
  if (failure.usage === undefined) return { failure }
  const cost = costOf(endpoint.price, failure.usage)
  return { failure, usage: failure.usage, ...(cost === undefined ? undefined : { cost }) }
}
