/** A point an exchange waits at until the test opens it. */

/** Opening lets everybody through who waits now or comes later; a gate is never shut again. */
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
