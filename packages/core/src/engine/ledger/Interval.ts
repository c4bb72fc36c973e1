/** The periods in which spending is counted; a `Calendar` says when they begin. */
import * as Schema from "effect/Schema"

/** How often a limit resets. */
export const Interval = Schema.Literals(["daily", "weekly", "monthly", "lifetime"])

export type Interval = typeof Interval.Type

/** A period in which spending is counted. */
export interface Window {
  /** Unique among the windows of its interval: its first day, such as `2026-11-16`, or `lifetime`. */
  readonly name: string
  /** Milliseconds since the epoch; -Infinity for a lifetime. */
  readonly beganAt: number
  /** Milliseconds since the epoch; Infinity for a lifetime. */
  readonly endsAt: number
}

/** The only window of a lifetime. */
export const lifetimeWindow: Window = { name: "lifetime", beganAt: -Infinity, endsAt: Infinity }
