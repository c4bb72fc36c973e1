/** An exchange waits at a gate until the test opens it. */

/** A gate that is open stays open. */
export class Gate {
  readonly #passage = Promise.withResolvers<void>()

  /** Resolves when the gate is open. */
  get opened(): Promise<void> {
    return this.#passage.promise
  }

  open(): void {
    this.#passage.resolve()
  }
}
