/** A timer that needs no fiber, for deadlines of requests. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import { captureAsyncScope } from "./Pending.ts"

/** A timer that has been started. */
export interface Timer {
  /** A second time, or after the timer has fired, it does nothing. */
  readonly stop: () => void
}

/** What a timer calls: a function, or the method of an object, which needs no closure. */
type Alarm = (() => void) | { readonly onTime: () => void }

/**
 * Calls `run` once when `millis` have passed, and never in the same turn. `clock` is the clock that effects sleep on: for a clock
 * other than the system's, such as a `TestClock`, a fiber sleeps on it. Timers of the system's clock for at least a second may
 * be a fifth of a second late.
 */
export const startTimer = (clock: Clock.Clock, millis: number, run: Alarm): Timer => {
  if (!Number.isFinite(millis)) return noTimer
  if (!isSystemClock(clock) || millis > maxTimeoutMillis) {
    const fiber = Effect.runFork(
      Effect.sleep(millis).pipe(
        Effect.andThen(Effect.sync(() => ring(run))),
        Effect.provideService(Clock.Clock, clock)
      )
    )
    return { stop: () => fiber.interruptUnsafe() }
  }
  if (millis >= minCoarseMillis) return startCoarseTimer(millis, run)
  const timeout = setTimeout(ring, millis, run)
  return { stop: () => clearTimeout(timeout) }
}

const ring = (run: Alarm): void => {
  if (typeof run === "function") run()
  else run.onTime()
}

/** It has stopped, or never fires. */
export const noTimer: Timer = { stop: constVoid }

/** Whether its time and its timers are the system's. */
export const isSystemClock = (clock: Clock.Clock): boolean => clock === systemClock

const systemClock = Context.get(Context.empty(), Clock.Clock)

/** `setTimeout` fires at once when it is given more. */
const maxTimeoutMillis = 2 ** 31 - 1

/** The shortest time for which they are meant, in milliseconds. */
export const minCoarseMillis = 1_000

/** Their times are whole ticks, so that many of them have the same; each fires up to one tick after its time. */
const tickMillis = 100

/** Timers of the same length: the one that was started first fires first. */
interface TimerList {
  first: CoarseTimer | undefined
  last: CoarseTimer | undefined
}

const lists = new Map<number, TimerList>()

/**
 * What ticks; undefined while there are no timers. It is started anew when a host's tests replace the functions of the platform
 * or give them back, because an interval of others may never fire.
 */
let ticking: { readonly startedBy: typeof setInterval; readonly stop: () => void } | undefined

/** The interval belongs to no request. */
const asyncScope = captureAsyncScope()

/** Calls `run` once, when `millis` have passed and up to 200 later. */
export const startCoarseTimer = (millis: number, run: Alarm): Timer => {
  const wholeTicks = Math.ceil(millis / tickMillis) * tickMillis
  let list = lists.get(wholeTicks)
  if (list === undefined) {
    list = { first: undefined, last: undefined }
    lists.set(wholeTicks, list)
  }
  if (ticking?.startedBy !== globalThis.setInterval) {
    if (asyncScope === undefined) startTicking()
    else asyncScope.runInAsyncScope(startTicking, undefined)
  }
  return new CoarseTimer(list, performance.now() + wholeTicks, run)
}

class CoarseTimer {
  readonly dueAt: number
  readonly run: Alarm
  next: CoarseTimer | undefined = undefined
  #previous: CoarseTimer | undefined
  /** Undefined when it has fired or stopped. */
  #list: TimerList | undefined

  constructor(list: TimerList, dueAt: number, run: Alarm) {
    this.dueAt = dueAt
    this.run = run
    this.#list = list
    const { last } = list
    this.#previous = last
    if (last === undefined) list.first = this
    else last.next = this
    list.last = this
  }

  stop(): void {
    const list = this.#list
    if (list === undefined) return
    this.#list = undefined
    const previous = this.#previous
    const { next } = this
    // One that is kept somewhere keeps no others.
    this.next = undefined
    this.#previous = undefined
    if (previous === undefined) list.first = next
    else previous.next = next
    if (next === undefined) list.last = previous
    else next.#previous = previous
  }
}

const startTicking = (): void => {
  ticking?.stop()
  const { clearInterval, setInterval } = globalThis
  const interval = setInterval(tick, tickMillis)
  ticking = { startedBy: setInterval, stop: () => clearInterval(interval) }
}

const tick = (): void => {
  const now = performance.now()
  for (const [millis, list] of lists) {
    if (list.first === undefined) lists.delete(millis)
    else fireDue(list, now)
  }
  if (lists.size > 0) return
  ticking?.stop()
  ticking = undefined
}

const fireDue = (list: TimerList, now: number): void => {
  for (let timer = list.first; timer !== undefined && timer.dueAt <= now; timer = list.first) {
    timer.stop()
    ring(timer.run)
  }
}
