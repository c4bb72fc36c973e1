/** A cap on spending: how much may be settled and reserved together in one window. */
import { memoize } from "effect/Function"
import type * as NanoUsd from "../values/usage/NanoUsd.ts"
import { type Interval, toWindow } from "./Interval.ts"
import type { Subject } from "./Subject.ts"

/** What a limit restricts. */
export type LimitKind = "credits" | "key" | "workspace" | "guardrail"

/** A cap on what is settled and reserved together in one window. */
export interface Limit {
  readonly kind: LimitKind
  /** Whose limit: unique together with `kind`, `interval`, `window` and `countsByok`. */
  readonly id: string
  /** Whose spending counts, also what was spent before there was a limit; absent: only what is settled under it. */
  readonly subject?: Subject
  readonly interval: Interval
  /** The period counted, such as `lifetime` or the day on which it began. */
  readonly window: string
  /** When the period is over, in milliseconds since the epoch; Infinity when it never is. */
  readonly endsAt: number
  readonly cap: NanoUsd.NanoUsd
  /** Whether what customers pay their providers themselves counts too. */
  readonly countsByok: boolean
}

/** Of the counter it goes by. None of the parts before the id has a blank. */
export const toCounterKey = memoize(
  ({ countsByok, id, interval, kind, window }: Limit): string =>
    `${kind} ${interval} ${window} ${countsByok ? "all" : "credits"} ${id}`
)

/** A limit in whatever window it is looked at. */
export type LimitDefinition = Omit<Limit, "window" | "endsAt">

/** The limit as it stands at `now`. */
export const resolveLimit = (now: number, cap: LimitDefinition): Limit => {
  const { endsAt, name } = toWindow(cap.interval, now)
  return { ...cap, window: name, endsAt }
}

/** The same limit as it stands at `now`; itself while that is in its window. */
export const refreshLimit = (now: number, limit: Limit): Limit =>
  toWindow(limit.interval, now).name === limit.window ? limit : resolveLimit(now, limit)

/** The same for a cap that is looked at again and again: one limit until its window is over. */
export const makeLimitResolver = (cap: LimitDefinition): ((now: number) => Limit) => {
  let latest: Limit | undefined
  return (now) =>
    (latest = latest === undefined ? resolveLimit(now, cap) : refreshLimit(now, latest))
}
