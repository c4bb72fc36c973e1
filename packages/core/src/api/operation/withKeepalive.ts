/** Keeps the connection of an event stream open during silence, and ends it when the instance drains. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import type { Drain } from "../../instance/Drain.ts"
import { evaluate, isExit } from "../../values/eager.ts"
import { type AnyExit, Pending, PendingRun } from "../../values/Pending.ts"
import type { Push, PushStream } from "../../values/push/PushStream.ts"
import { readMonotonicMillis } from "../../values/readMonotonicMillis.ts"
import { startTimer } from "../../values/startTimer.ts"
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

  constructor(events: PushStream<string, E>, push: Push<string>, options: KeptAliveOptions) {
    super()
    this.#events = events
    this.#push = push
    this.#options = options
  }

  begin(run: PendingRun): AnyExit | undefined {
    const push = this.#push
    const { clock, drain, keepalive, keepaliveMillis } = this.#options
    let writtenAt = readMonotonicMillis(clock)
    /** The reader is behind, so the connection is not silent. */
    let isWaiting = false
    let isOver = false
    let isBeginning = true
    let isDraining = false
    let early: AnyExit | undefined

    const write: Push<string> = (texts) => {
      if (isOver) return Effect.void
      writtenAt = readMonotonicMillis(clock)
      const written = push(texts)
      if (isExit(written)) return written
      isWaiting = true
      return Step.map(written, () => {
        isWaiting = false
        writtenAt = readMonotonicMillis(clock)
      })
    }
    const checkSilence = (): void => {
      const now = readMonotonicMillis(clock)
      if (isWaiting) writtenAt = now
      else if (now - writtenAt >= keepaliveMillis) {
        // A reader that is behind now makes the next event wait.
        void push([keepalive()])
        writtenAt = now
      }
      timer = startTimer(clock, writtenAt + keepaliveMillis - now, checkSilence)
    }
    let timer = startTimer(clock, keepaliveMillis, checkSilence)
    const end = (): void => {
      isOver = true
      timer.stop()
      unsubscribe()
    }
    let unsubscribe = constVoid
    const running = new PendingRun(
      run.context,
      (exit) => {
        end()
        if (isBeginning) early = exit
        else run.resume(isDraining ? Exit.fail(new Draining()) : exit)
      },
      run
    )
    run.onInterrupt({
      interrupt: (annotations) => {
        end()
        running.interrupt(annotations)
      }
    })
    running.go(evaluate(() => this.#events.run(write)))
    isBeginning = false
    if (early !== undefined) return early
    unsubscribe = drain.onTimeout(() => {
      if (isOver) return
      isDraining = true
      end()
      running.interrupt()
    })
    if (isOver) unsubscribe()
    return undefined
  }
}
