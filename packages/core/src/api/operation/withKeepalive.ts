/** Keeps the connection of an event stream open during silence, and ends it when the instance drains. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import type { Drain } from "../../instance/Drain.ts"
import { evaluate, isExit } from "../../values/eager.ts"
import { type AnyExit, Pending, PendingRun } from "../../values/Pending.ts"
import type { Push, PushStream } from "../../values/push/PushStream.ts"
import { readMonotonicMillis } from "../../values/SteadyTime.ts"
import { noTimer, startTimer } from "../../values/startTimer.ts"
import * as Step from "../../values/Step.ts"
import { Draining } from "../errors/HttpErrors.ts"

/** Keepalive and drain of an event stream. */
export interface EventStreamOptions {
  readonly clock: Clock.Clock
  /** Milliseconds of silence after which something keeps the connection open. */
  readonly keepaliveMillis: number
  /** Makes the text that is sent then. Default: a comment, which clients ignore. */
  readonly keepalive?: (() => string) | undefined
  /** Ends the stream when the drain timeout has passed. */
  readonly drain: Pick<Drain["Service"], "onTimeout">
}

export const toComment = (): string => ": keepalive\n\n"

/** One timer for the whole stream, which looks at the clock: a timer per event would cost more than the event. */
export const withKeepalive = <E>(
  events: PushStream<string, E>,
  { clock, drain, keepalive = toComment, keepaliveMillis }: EventStreamOptions
): PushStream<string, E | Draining> => ({
  run: (push) => new KeptAlive(events, push, { clock, drain, keepalive, keepaliveMillis })
})

interface KeptAliveOptions extends EventStreamOptions {
  readonly keepalive: () => string
}

class KeptAlive<E> extends Pending<void, E | Draining> {
  readonly #events: PushStream<string, E>
  readonly #push: Push<string>
  readonly #options: KeptAliveOptions
  #writtenAt = 0
  /** The reader is behind, so the connection is not silent. */
  #isWaiting = false
  #isOver = false
  #isBeginning = true
  #isDraining = false
  #early: AnyExit | undefined
  #timer = noTimer
  #unsubscribe = constVoid

  constructor(events: PushStream<string, E>, push: Push<string>, options: KeptAliveOptions) {
    super()
    this.#events = events
    this.#push = push
    this.#options = options
  }

  begin(run: PendingRun): AnyExit | undefined {
    this.#writtenAt = readMonotonicMillis(this.#options.clock)
    this.#watch(this.#options.keepaliveMillis)
    const running = new PendingRun(
      run.context,
      (exit) => {
        this.#end()
        if (this.#isBeginning) this.#early = exit
        else run.resume(this.#isDraining ? Exit.fail(new Draining()) : exit)
      },
      run
    )
    run.onInterrupt({
      interrupt: (annotations) => {
        this.#end()
        running.interrupt(annotations)
      }
    })
    running.go(evaluate(() => this.#events.run((texts) => this.#write(texts))))
    this.#isBeginning = false
    if (this.#early !== undefined) return this.#early
    this.#unsubscribe = this.#options.drain.onTimeout(() => {
      if (this.#isOver) return
      this.#isDraining = true
      this.#end()
      running.interrupt()
    })
    if (this.#isOver) this.#unsubscribe()
    return undefined
  }

  #write(texts: ReadonlyArray<string>): Effect.Effect<void> {
    if (this.#isOver) return Effect.void
    const { clock } = this.#options
    this.#writtenAt = readMonotonicMillis(clock)
    const written = this.#push(texts)
    if (isExit(written)) return written
    this.#isWaiting = true
    return Step.map(written, () => {
      this.#isWaiting = false
      this.#writtenAt = readMonotonicMillis(clock)
    })
  }

  #watch(millis: number): void {
    this.#timer = startTimer(this.#options.clock, millis, () => this.#checkSilence())
  }

  #checkSilence(): void {
    const { clock, keepalive, keepaliveMillis } = this.#options
    const now = readMonotonicMillis(clock)
    if (this.#isWaiting) this.#writtenAt = now
    else if (now - this.#writtenAt >= keepaliveMillis) {
      // A reader that is behind now makes the next event wait.
      void this.#push([keepalive()])
      this.#writtenAt = now
    }
    this.#watch(this.#writtenAt + keepaliveMillis - now)
  }

  #end(): void {
    this.#isOver = true
    this.#timer.stop()
    this.#unsubscribe()
  }
}
