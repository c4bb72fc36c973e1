/** One simulated computer: its clock, its event loop and its chance, as services of Effect. */
import * as Clock from "effect/Clock"
import { WebCrypto } from "effect/crypto/WebCrypto"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Scheduler from "effect/Scheduler"
import type { Chance } from "./Chance.ts"
import { promptCrypto } from "./promptCrypto.ts"
import type { EventOwner, Timeline } from "./Timeline.ts"

/**
 * From its start to its end. Everything that happens in it is an event of the timeline that it owns, so that nothing of it
 * happens after `end`: no finalizer, no timer, no answer. That is what `kill -9` does.
 */
export class Machine implements EventOwner {
  readonly name: string
  readonly timeline: Timeline
  readonly chance: Chance
  /** Its system clock less the true time, in milliseconds. */
  clockError = 0
  pausedUntil = 0
  readonly #startedAt: number
  #isOver = false
  readonly #onEnd = new Set<() => void>()
  #ready: Array<(() => void) | undefined> = []

  constructor(name: string, timeline: Timeline, chance: Chance) {
    this.name = name
    this.timeline = timeline
    this.chance = chance
    this.#startedAt = timeline.now
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Other machines may see it end, as a connection that breaks. Returns what stops watching. */
  onEnd(run: () => void): () => void {
    this.#onEnd.add(run)
    return () => void this.#onEnd.delete(run)
  }

  end(): void {
    this.#isOver = true
    for (const run of this.#onEnd) run()
    this.#onEnd.clear()
  }

  /** Milliseconds since the epoch, as its system clock says. */
  readClock(): number {
    return epoch + this.timeline.now + this.clockError
  }

  /** Returns what cancels it. */
  schedule(delayMillis: number, label: string, run: () => void): () => void {
    return this.timeline.schedule(this, delayMillis, label, run)
  }

  /** In the next turn of its event loop, in the order of the calls. */
  readonly setImmediate = (run: () => void): (() => void) => {
    const index = this.#ready.push(run) - 1
    const ready = this.#ready
    if (index === 0) this.schedule(0, "turn", () => this.#turn())
    return () => {
      ready[index] = undefined
    }
  }

  #turn(): void {
    const ready = this.#ready
    this.#ready = []
    for (const run of ready) run?.()
  }

  /** What an application that runs on it finds in its context. */
  get services(): Context.Context<never> {
    return Context.makeUnsafe(
      new Map<string, unknown>([
        [Clock.Clock.key, this.#makeClock()],
        [Scheduler.Scheduler.key, new Scheduler.MixedScheduler("async", this.setImmediate)],
        [Random.Random.key, makeRandom(this.chance)],
        [WebCrypto.key, promptCrypto]
      ])
    )
  }

  #makeClock(): Clock.Clock {
    const readMonotonic = (): number => this.timeline.now - this.#startedAt + 1_000
    const readNanos = (): bigint => toNanos(this.readClock())
    return {
      currentTimeMillisUnsafe: () => this.readClock(),
      currentTimeMillis: Effect.sync(() => this.readClock()),
      currentTimeNanosUnsafe: readNanos,
      currentTimeNanos: Effect.sync(readNanos),
      monotonicTimeNanosUnsafe: () => toNanos(readMonotonic()),
      monotonicTimeNanos: Effect.sync(() => toNanos(readMonotonic())),
      sleep: (duration) => this.#sleep(Duration.toMillis(duration))
    }
  }

  #sleep(millis: number): Effect.Effect<void> {
    if (millis <= 0) return Effect.yieldNow
    if (!Number.isFinite(millis)) return Effect.never
    return Effect.callback((resume) => {
      const cancel = this.schedule(millis, "timer", () => resume(Effect.void))
      return Effect.sync(cancel)
    })
  }
}

/** When every world begins: 2026-03-02, a Monday. */
const epoch = Date.UTC(2026, 2, 2, 12)

const toNanos = (millis: number): bigint => BigInt(Math.floor(millis)) * 1_000_000n

const makeRandom = (chance: Chance): (typeof Random.Random)["Service"] => ({
  nextDoubleUnsafe: () => chance.next(),
  nextIntUnsafe: () =>
    Math.floor(chance.next() * (Number.MAX_SAFE_INTEGER - Number.MIN_SAFE_INTEGER + 1)) +
    Number.MIN_SAFE_INTEGER
})
