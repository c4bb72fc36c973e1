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
export interface BufferReservation {
  /** Reserves bytes. False if the total would exceed the limit, or after the release. */
  readonly reserve: (bytes: number) => boolean
  readonly release: () => void
}

export const makeBufferReservation = (
  buffered: BufferUsage,
  limitBytes: number
): BufferReservation => {
  let reserved = 0
  let isReleased = false
  return {
    reserve: (bytes) => {
      if (isReleased || buffered.bytes + bytes > limitBytes) return false
      buffered.bytes += bytes
      reserved += bytes
      return true
    },
    release: () => {
      isReleased = true
      buffered.bytes -= reserved
      reserved = 0
    }
  }
}
