/** A list that callers can wait for to reach a length. */

interface Waiting<A> {
  readonly count: number
  readonly resolve: (things: ReadonlyArray<A>) => void
  readonly reject: (reason: Error) => void
}

export class WaitableLog<A> {
  readonly things: Array<A> = []
  readonly #name: string
  #waiting: ReadonlyArray<Waiting<A>> = []
  #ended = false

  constructor(name: string) {
    this.#name = name
  }

  add(thing: A): void {
    this.things.push(thing)
    const reached = this.#waiting.filter(({ count }) => count <= this.things.length)
    this.#waiting = this.#waiting.filter(({ count }) => count > this.things.length)
    for (const { count, resolve } of reached) resolve(this.things.slice(0, count))
  }

  /** Resolves to the first `count` things; rejects if the log ends before that. */
  waitForCount(count: number): Promise<ReadonlyArray<A>> {
    if (this.things.length >= count) return Promise.resolve(this.things.slice(0, count))
    if (this.#ended) return Promise.reject(this.#tooFew(count))
    return new Promise((resolve, reject) => {
      this.#waiting = [...this.#waiting, { count, resolve, reject }]
    })
  }

  end(): void {
    this.#ended = true
    for (const { count, reject } of this.#waiting) reject(this.#tooFew(count))
    this.#waiting = []
  }

  #tooFew(count: number): Error {
    return new Error(`closed after ${this.things.length} of ${count} ${this.#name}`)
  }
}
