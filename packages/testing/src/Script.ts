/** A queue of steps, and a default step for an empty queue. */
import type { Step } from "./Step.ts"

/** Accepts the steps of a test. */
export interface Scripted {
  /** Appends steps, which are played once each. */
  script(...steps: ReadonlyArray<Step>): void
  /** Sets the step for an empty queue. */
  always(step: Step): void
}

export class Script implements Scripted {
  readonly #queue: Array<Step> = []
  #default: Step | undefined

  script(...steps: ReadonlyArray<Step>): void {
    this.#queue.push(...steps)
  }

  always(step: Step): void {
    this.#default = step
  }

  /** The step that `take` would return. */
  get next(): Step | undefined {
    return this.#queue[0] ?? this.#default
  }

  take(): Step | undefined {
    return this.#queue.shift() ?? this.#default
  }
}
