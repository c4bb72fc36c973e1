/** How long the requests of one attempt waited for connections of this process. */
import type { Deadline } from "../../values/Deadline.ts"

export class QueueTime {
  readonly #deadline: Deadline
  /** Requests that wait now. */
  #waiting = 0
  /** Since when at least one of them waits. */
  #since = 0
  #endedMillis = 0

  constructor(deadline: Deadline) {
    this.#deadline = deadline
  }

  begin(): void {
    if (this.#waiting === 0) this.#since = this.#deadline.now()
    this.#waiting += 1
  }

  end(): void {
    this.#waiting -= 1
    if (this.#waiting === 0) this.#endedMillis += this.#deadline.now() - this.#since
  }

  /** Requests that waited side by side count once. */
  getMillis(): number {
    return this.#waiting === 0
      ? this.#endedMillis
      : this.#endedMillis + this.#deadline.now() - this.#since
  }
}
