/** What happened in a simulated world, as a number that differs when anything happened in another way. */

/** The last events are kept as text, for a report of a failure. */
export class Trace {
  #hash = 0x811c9dc5
  readonly #capacity: number
  readonly #lines: Array<string> = []

  /** `capacity` is how many events are kept as text. */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  add(at: number, owner: string, label: string): void {
    const line = `${at} ${owner} ${label}`
    for (let index = 0; index < line.length; index++) {
      this.#hash = Math.imul(this.#hash ^ line.charCodeAt(index), 0x01000193)
    }
    if (this.#capacity === 0) return
    this.#lines.push(line)
    if (this.#lines.length > 2 * this.#capacity) this.#lines.splice(0, this.#capacity)
  }

  /** FNV-1a of all events. */
  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, "0")
  }

  get lines(): ReadonlyArray<string> {
    return this.#lines.slice(-this.#capacity)
  }
}
