/** A cap on spending: how much may be settled and reserved together in one window. */
import { memoize } from "effect/Function"
import type * as NanoUsd from "../values/NanoUsd.ts"
import { type Interval, windowAt } from "./Interval.ts"

/** What a limit restricts. */
export type LimitKind = "credits" | "key" | "workspace" | "guardrail"

export interface Limit {
  readonly kind: LimitKind
  /** Whose limit: unique together with `kind` and `window`. */
  readonly id: string
  readonly interval: Interval
  /** The period counted, such as `lifetime` or the day on which it began. */
  readonly window: string
  /** When the period is over, in milliseconds since the epoch; Infinity when it never is. */
  readonly endsAt: number
  readonly cap: NanoUsd.NanoUsd
  /** Whether what customers pay their providers themselves counts too. */
  readonly countsByok: boolean
}

/** None of the parts before the id has a blank. */
export const keyOf = memoize(
  ({ id, interval, kind, window }: Limit): string => `${kind} ${interval} ${window} ${id}`
)

/** A limit in whatever window it is looked at. */
export type Cap = Pick<Limit, "kind" | "id" | "interval" | "cap" | "countsByok">

/** The limit as it stands at `now`. */
export const at = (now: number, { cap, countsByok, id, interval, kind }: Cap): Limit => {
  const { endsAt, name } = windowAt(interval, now)
  return { kind, id, interval, window: name, endsAt, cap, countsByok }
}

/** The same for a cap that is looked at again and again: one limit until its window is over. */
export const over = (cap: Cap): ((now: number) => Limit) => {
  let latest: Limit | undefined
  return (now) => {
    if (latest?.window !== windowAt(cap.interval, now).name) latest = at(now, cap)
    return latest
  }
}
