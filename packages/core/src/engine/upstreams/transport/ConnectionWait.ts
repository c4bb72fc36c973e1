/** Tells the attempt that a request belongs to how long the request waited for a connection of this process. */
import * as Context from "effect/Context"

/** Hears of requests that wait because every connection to their server is in use. Not called for one that is sent at once. */
export interface ConnectionWait {
  /** A request waits. */
  readonly onQueued: () => void
  /** Called when that request is sent, or has ended without having been sent. */
  readonly onDequeued: () => void
  /** How long requests have waited so far, in milliseconds; those that waited side by side count once. */
  readonly getQueuedMillis: () => number
}

/** The wait of the running attempt; undefined outside of attempts. Looked up only when a request waits. */
export const CurrentConnectionWait = Context.Reference<ConnectionWait | undefined>(
  "@signalbox/core/upstreams/transport/ConnectionWait",
  { defaultValue: () => undefined }
)
