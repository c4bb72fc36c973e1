/** How many bytes of request bodies are in memory before they are parsed, of all requests to this process together. */
import * as Context from "effect/Context"

export interface Buffered {
  bytes: number
}

/** The default is one for all boxes of the process: they share its memory. */
export const BufferedBodies: Context.Reference<Buffered> = Context.Reference(
  "@signalbox/core/http/BufferedBodies",
  { defaultValue: () => ({ bytes: 0 }) }
)

/** The bytes of one request. */
export interface Share {
  /** Adds to them, unless all together were more than the limit then, or they were given back already. */
  readonly take: (bytes: number) => boolean
  readonly giveBack: () => void
}

export const shareOf = (buffered: Buffered, limitBytes: number): Share => {
  let taken = 0
  let isOver = false
  return {
    take: (bytes) => {
      if (isOver || buffered.bytes + bytes > limitBytes) return false
      buffered.bytes += bytes
      taken += bytes
      return true
    },
    giveBack: () => {
      isOver = true
      buffered.bytes -= taken
      taken = 0
    }
  }
}
