/** The statuses of a video job and the transitions between them. */
import * as Schema from "effect/Schema"

/** Where a video job is in its lifecycle. */
export const VideoStatus = Schema.Literals([
  "pending",
  "in_progress",
  "completed",
  "failed",
  "cancelled",
  "expired"
])
export type VideoStatus = typeof VideoStatus.Type

/** Terminal statuses. */
export type TerminalStatus = Exclude<VideoStatus, "pending" | "in_progress">

/** A job may end without having been in progress, and never restarts. */
const transitions: Readonly<Record<VideoStatus, ReadonlyArray<VideoStatus>>> = {
  pending: ["in_progress", "completed", "failed", "cancelled", "expired"],
  in_progress: ["completed", "failed", "cancelled", "expired"],
  completed: [],
  failed: [],
  cancelled: [],
  expired: []
}

export const canTransition = (from: VideoStatus, to: VideoStatus): boolean =>
  transitions[from].includes(to)

export const isTerminal = (status: VideoStatus): status is TerminalStatus =>
  transitions[status].length === 0
