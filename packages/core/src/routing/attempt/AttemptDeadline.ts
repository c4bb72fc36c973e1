/**
 * The one timer of an attempt: when a second attempt may be started beside it, when its endpoint is suspected to fail, and how long
 * it may take, which is longer while it waits for a connection and once it has begun to answer.
 */
import * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import {
  type FailurePhase,
  UpstreamFailure
} from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { CurrentConnectionWait } from "../../engine/upstreams/transport/sendOnce.ts"
import type { DeadlineRules } from "../../values/withTimer.ts"
import type { RunningAttempt } from "./RunningAttempt.ts"

/** What it reads of the attempt, and tells it. */
type TimedAttempt = Pick<
  RunningAttempt<never, never, never>,
  | "committedAt"
  | "entry"
  | "getElapsedMillis"
  | "getQueuedMillis"
  | "onDequeued"
  | "onQueued"
  | "startedAt"
  | "suspect"
  | "suspectMillis"
>

export class AttemptDeadline implements DeadlineRules<never, UpstreamFailure> {
  readonly #attempt: TimedAttempt
  readonly #attemptMillis: number
  readonly #timeoutMillis: number
  readonly #streamTimeoutMillis: number
  readonly #isLast: boolean
  #isExtended = false
  /** How much of the time was a wait for a connection, which is not the provider's. */
  #addedMillis = 0
  /** When the timer fires, in milliseconds since the attempt began, like the next three. */
  #firesAt = 0
  #hedgeAt: number
  #suspectAt: number
  /** How long a wait for a connection has put off the suspicion. */
  #queuedMillis = 0

  constructor(
    attempt: TimedAttempt,
    attemptMillis: number,
    timeoutMillis: number,
    streamTimeoutMillis: number,
    isLast: boolean
  ) {
    this.#attempt = attempt
    this.#attemptMillis = attemptMillis
    this.#timeoutMillis = timeoutMillis
    this.#streamTimeoutMillis = streamTimeoutMillis
    this.#isLast = isLast
    this.#hedgeAt = attempt.entry?.lateMillis ?? Number.POSITIVE_INFINITY
    this.#suspectAt = attempt.suspectMillis
  }

  /** After how many milliseconds the timer fires first. */
  begin(): number {
    return this.#wait()
  }

  onTimeout(): Exit.Exit<never, UpstreamFailure> | number {
    if (this.#attempt.committedAt === undefined) this.#checkLateness()
    if (this.#firesAt < this.#timeoutMillis) return this.#wait()
    return this.#checkDeadline()
  }

  provide(context: Context.Context<never>): Context.Context<never> {
    return Context.add(context, CurrentConnectionWait, this.#attempt)
  }

  #wait(): number {
    const isAnswering = this.#attempt.committedAt !== undefined
    this.#firesAt = isAnswering
      ? this.#timeoutMillis
      : Math.min(this.#hedgeAt, this.#suspectAt, this.#timeoutMillis)
    return this.#getRemainingMillis()
  }

  /** Timers may be late, which must not put off the next one. */
  #getRemainingMillis(): number {
    return Math.max(0, this.#firesAt - this.#attempt.getElapsedMillis())
  }

  #checkLateness(): void {
    const attempt = this.#attempt
    if (this.#firesAt >= this.#hedgeAt) {
      this.#hedgeAt = Number.POSITIVE_INFINITY
      attempt.entry?.onLate?.()
    }
    if (this.#firesAt < this.#suspectAt) return
    const queuedMillis = attempt.getQueuedMillis()
    if (queuedMillis > this.#queuedMillis) {
      this.#suspectAt += Math.ceil(queuedMillis - this.#queuedMillis)
      this.#queuedMillis = queuedMillis
    } else {
      this.#suspectAt = Number.POSITIVE_INFINITY
      attempt.suspect()
    }
  }

  #checkDeadline(): Exit.Exit<never, UpstreamFailure> | number {
    const { committedAt, startedAt } = this.#attempt
    if (committedAt === undefined) {
      const left = this.#attemptMillis - this.#timeoutMillis - this.#addedMillis
      const millis = Math.min(this.#attempt.getQueuedMillis() - this.#addedMillis, left)
      if (millis <= 0) return failWithTimeout(this.#isLast ? "total" : "attempt")
      this.#addedMillis += millis
      this.#firesAt += millis
      return this.#getRemainingMillis()
    }
    if (this.#isExtended) return failWithTimeout("total")
    this.#isExtended = true
    this.#firesAt = committedAt + this.#streamTimeoutMillis - startedAt
    return this.#getRemainingMillis()
  }
}

const failWithTimeout = (phase: FailurePhase): Exit.Exit<never, UpstreamFailure> =>
  Exit.fail(new UpstreamFailure({ kind: "timeout", phase }))
