/** How many bytes of request bodies are in memory before they are parsed, of all requests to this process together. */
import * as Context from "effect/Context"

export interface BufferUsage {
  bytes: number
}

/** The default is one for all boxes of the process: they share its memory. */
export const BufferedBodies: Context.Reference<BufferUsage> = Context.Reference(
  "@signalbox/core/http/body/BufferedBodies",
  { defaultValue: () => ({ bytes: 0 }) }
)

/** The bytes of one request. */
export interface BufferReservation {
  /** Adds to them, unless all together were more than the limit then, or they were given back already. */
  readonly reserve: (bytes: number) => boolean
  readonly release: () => void
}

export const makeBufferReservation = (
  buffered: BufferUsage,
  limitBytes: number
): BufferReservation => {
  let taken = 0
  let isOver = false
  return {
    reserve: (bytes) => {
      if (isOver || buffered.bytes + bytes > limitBytes) return false
      buffered.bytes += bytes
      taken += bytes
      return true
    },
    release: () => {
      isOver = true
      buffered.bytes -= taken
      taken = 0
    }
  }
}
