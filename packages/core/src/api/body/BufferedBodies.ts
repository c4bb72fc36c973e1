/** Counts the bytes of unparsed request bodies in memory, over all requests of the process. */
import * as Context from "effect/Context"

export interface BufferUsage {
  bytes: number
}

/** All instances of a process share one counter by default, because they share its memory. */
export const BufferedBodies: Context.Reference<BufferUsage> = Context.Reference(
  "@signalbox/core/api/body/BufferedBodies",
  { defaultValue: () => ({ bytes: 0 }) }
)

/** The buffered bytes of one request. */
export class BufferReservation {
  readonly #buffered: BufferUsage
  readonly #limitBytes: number
  #reserved = 0
  #isReleased = false

  constructor(buffered: BufferUsage, limitBytes: number) {
    this.#buffered = buffered
    this.#limitBytes = limitBytes
  }

  /** Reserves bytes. False if the total would exceed the limit, or after the release. */
  reserve(bytes: number): boolean {
    if (this.#isReleased || this.#buffered.bytes + bytes > this.#limitBytes) return false
    this.#buffered.bytes += bytes
    this.#reserved += bytes
    return true
  }

  release(): void {
    this.#isReleased = true
    this.#buffered.bytes -= this.#reserved
    this.#reserved = 0
  }
}
