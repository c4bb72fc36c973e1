/** A cap on spending: how much may be settled and reserved together in one window. */
import { memoize } from "effect/Function"
import * as Schema from "effect/Schema"
import { NanoUsd } from "../../values/usage/NanoUsd.ts"
import { Interval, toWindow } from "./Interval.ts"

const LimitKind = Schema.Literals(["credits", "key", "workspace", "guardrail", "experiment"])
/** What a limit restricts. */
export type LimitKind = typeof LimitKind.Type

/** A cap on what is settled and reserved together in one window. */
export const Limit = Schema.Struct({
  kind: LimitKind,
  /** Unique together with `kind`, `interval`, `window` and `countsByok`. */
  id: Schema.String,
  /**
   * The `Subject` whose spending counts, including spending from before the limit was set; absent: only
   * settlements under the limit count.
   */
  subject: Schema.optionalKey(Schema.String.pipe(Schema.brand("Subject"))),
  interval: Interval,
  /** The name of the counted period: `lifetime`, or the day on which it began. */
  window: Schema.String,
  /** The end of the period in milliseconds since the epoch; Infinity for a lifetime. */
  endsAt: Schema.Number,
  /** Nano-USD. */
  cap: NanoUsd,
  /** Whether spending on customers' own credentials counts too. */
  countsByok: Schema.Boolean
})
export type Limit = typeof Limit.Type

/** The key of the counter of a limit. No part before the id contains a blank. */
export const toCounterKey = memoize(
  ({ countsByok, id, interval, kind, window }: Limit): string =>
    `${kind} ${interval} ${window} ${countsByok ? "all" : "credits"} ${id}`
)

/** A limit without a window. */
export type LimitDefinition = Omit<Limit, "window" | "endsAt">

/** The limit in the window of `now`. */
export const resolveLimit = (now: number, cap: LimitDefinition): Limit => {
  const { endsAt, name } = toWindow(cap.interval, now)
  return { ...cap, window: name, endsAt }
}

/** The limit in the window of `now`; the same object while its window lasts. */
export const refreshLimit = (now: number, limit: Limit): Limit =>
  toWindow(limit.interval, now).name === limit.window ? limit : resolveLimit(now, limit)

/** The limits in the window of `now`; the same array while all windows last. */
export const refreshLimits = (now: number, limits: ReadonlyArray<Limit>): ReadonlyArray<Limit> => {
  for (const limit of limits) {
    if (refreshLimit(now, limit) !== limit) return limits.map((each) => refreshLimit(now, each))
  }
  return limits
}

/** Resolves one limit repeatedly: it returns the same object until its window ends. */
export const makeLimitResolver = (cap: LimitDefinition): ((now: number) => Limit) => {
  let latest: Limit | undefined
  return (now) =>
    (latest = latest === undefined ? resolveLimit(now, cap) : refreshLimit(now, latest))
}
