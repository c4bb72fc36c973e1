/** The steps an upstream plays: a queue first, then the standing step. */
import type { Step } from "./Step.ts"

/** Where a test puts steps. */
export interface Scripted {
  /** Appends steps, each played once. */
  script(...steps: ReadonlyArray<Step>): void
  /** Plays `step` whenever no appended one is left, instead of an earlier such step. */
  always(step: Step): void
}

export class Script implements Scripted {
  readonly #queue: Array<Step> = []
  #standing: Step | undefined

  script(...steps: ReadonlyArray<Step>): void {
    this.#queue.push(...steps)
  }

  always(step: Step): void {
    this.#standing = step
  }

  /** The step that `take` would return. */
  get next(): Step | undefined {
    return this.#queue[0] ?? this.#standing
  }

  take(): Step | undefined {
    return this.#queue.shift() ?? this.#standing
  }
}
