/** How late timers of this process fire, which says how busy its event loop is. */
import * as Effect from "effect/Effect"

/** Milliseconds between two looks. */
const intervalMillis = 200

export class EventLoopDelay {
  #longest = 0
  #before = 0

  /** The longest delay of this time and of the one before, in whole milliseconds. */
  get millis(): number {
    return Math.max(this.#longest, this.#before)
  }

  add(millis: number): void {
    this.#longest = Math.max(this.#longest, millis)
  }

  /** Begins another time. */
  turn(): void {
    this.#before = this.#longest
    this.#longest = 0
  }

  /** Looks how late a timer is, over and over. `now` is in milliseconds and never jumps. */
  watch(now: () => number): Effect.Effect<never> {
    return Effect.forever(
      Effect.suspend(() => {
        const due = now() + intervalMillis
        return Effect.map(Effect.sleep(intervalMillis), () => this.add(now() - due))
      })
    )
  }
}
