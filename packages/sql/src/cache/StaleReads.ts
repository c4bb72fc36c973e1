/**
 * Serves what was last read while the storage cannot be read, for `Settings.staleOnErrorMillis`, as `stale-if-error` does
 * (https://www.rfc-editor.org/rfc/rfc5861#section-4).
 */
import { StoreUnavailable } from "@signalbox/core/stores"
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { readMonotonicMillis } from "../connection/StorageLog.ts"

/** When the caches of a service could not be confirmed, and when a read failed last. All times are monotonic milliseconds. */
export class ReadOutage {
  readonly #clock: Clock.Clock
  readonly #maxStaleMillis: number
  /** When changes may have been missed, ascending; only the first after a read matters. */
  readonly #missedAt: Array<number> = []
  /** Reads of before are too old to be served. */
  #forgottenUntil = -Infinity
  #readAt = -Infinity
  #failedAt = -Infinity

  /** `maxStaleMillis` is above 0. */
  constructor(clock: Clock.Clock, maxStaleMillis: number) {
    this.#clock = clock
    this.#maxStaleMillis = maxStaleMillis
  }

  now(): number {
    return readMonotonicMillis(this.#clock)
  }

  /** The feed of changes says nothing about what was read until now. */
  addMissedChanges(): void {
    const now = this.now()
    if ((this.#missedAt.at(-1) ?? -Infinity) < this.#readAt) this.#missedAt.push(now)
    for (
      let [oldest] = this.#missedAt;
      oldest !== undefined && oldest < now - this.#maxStaleMillis;
      [oldest] = this.#missedAt
    ) {
      this.#forgottenUntil = oldest
      this.#missedAt.shift()
    }
  }

  addRead(): number {
    return (this.#readAt = this.now())
  }

  addFailure(): void {
    this.#failedAt = this.now()
  }

  get hasJustFailed(): boolean {
    return this.now() - this.#failedAt < retryMillis
  }

  /** Whether what was read then may be served while reads fail. */
  maySurvive(readAt: number): boolean {
    if (readAt <= this.#forgottenUntil) return false
    const missedAt = this.#missedAt.find((at) => at >= readAt)
    return missedAt === undefined || this.now() - missedAt < this.#maxStaleMillis
  }
}

/** What is known of a read: nothing has changed since, something may have, or something has. */
export type Standing = "changed" | "confirmed" | "unconfirmed"

interface LastRead<Value> {
  readonly value: Value
  readonly readAt: number
}

/** The last reads of one kind. What is known to have changed must be removed. */
export class StaleReads<Key, Value> {
  readonly #outage: ReadOutage
  readonly #capacity: number
  readonly #reads = new Map<Key, LastRead<Value>>()

  constructor(outage: ReadOutage, capacity: number) {
    this.#outage = outage
    this.#capacity = capacity
  }

  set(key: Key, value: Value): void {
    // Reinserted, so that the first one is the least recently read.
    this.#reads.delete(key)
    this.#reads.set(key, { value, readAt: this.#outage.addRead() })
    const [oldest] = this.#reads.keys()
    if (this.#reads.size > this.#capacity && oldest !== undefined) this.#reads.delete(oldest)
  }

  delete(key: Key): void {
    this.#reads.delete(key)
  }

  deleteWhere(matches: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#reads) if (matches(value)) this.#reads.delete(key)
  }

  clear(): void {
    this.#reads.clear()
  }

  /**
   * The result of `read`, or what was read last if the storage fails or does not answer soon; then nothing is read for a
   * second. `judge` says what is known of the last read.
   */
  orLast<A = never>(
    key: Key,
    read: Effect.Effect<A | Value>,
    judge: (value: Value) => Standing
  ): Effect.Effect<A | Value> {
    const findLast = (): LastRead<Value> | undefined => {
      const last = this.#reads.get(key)
      return last !== undefined && judge(last.value) !== "changed" ? last : undefined
    }
    const findStale = (): LastRead<Value> | undefined => {
      const last = findLast()
      return last !== undefined && this.#outage.maySurvive(last.readAt) ? last : undefined
    }
    return Effect.suspend(() => {
      const last = findLast()
      if (last !== undefined && judge(last.value) === "confirmed") {
        return Effect.succeed(last.value)
      }
      const stale = findStale()
      if (stale === undefined) return read
      if (this.#outage.hasJustFailed) return Effect.succeed(stale.value)
      return Effect.flatMap(Effect.forkDetach(read, { startImmediately: true }), (reading) =>
        Effect.flatMap(Effect.timeoutOption(Fiber.await(reading), patienceMillis), (exit) => {
          if (Option.isSome(exit)) {
            if (Exit.isSuccess(exit.value)) return exit.value
            if (!isUnavailable(exit.value.cause)) return exit.value
          }
          this.#outage.addFailure()
          // It may have been removed meanwhile.
          const still = findStale()
          return still === undefined ? Fiber.join(reading) : Effect.succeed(still.value)
        })
      )
    })
  }
}

const isUnavailable = ({ reasons }: Cause.Cause<unknown>): boolean =>
  reasons.some((reason) => Cause.isDieReason(reason) && reason.defect instanceof StoreUnavailable)

/** How long a read may take where there is something else to serve. */
const patienceMillis = 1_000

/** Time before a storage that failed is read again. */
const retryMillis = 1_000
