/** How long a request may take, and its time. */
import type * as Clock from "effect/Clock"
import { SteadyTime } from "./SteadyTime.ts"

export class Deadline extends SteadyTime {
  /** When it passes, compared with `now()`. */
  readonly at: number

  constructor(clock: Clock.Clock, millis: number) {
    super(clock)
    this.at = this.now() + millis
  }
}
