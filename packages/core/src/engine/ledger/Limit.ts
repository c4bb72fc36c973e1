/** A cap on spending: how much may be settled and reserved together in one window. */
import { memoize } from "effect/Function"
import * as Schema from "effect/Schema"
import { maxAmount, min, NanoUsd } from "../../values/usage/NanoUsd.ts"
import type { Calendar } from "./Calendar.ts"
import { Interval, lifetimeWindow } from "./Interval.ts"

const LimitKind = Schema.Literals([
  "credits",
  "key",
  "workspace",
  "guardrail",
  "budget",
  "experiment"
])
/** What a limit restricts. */
export type LimitKind = typeof LimitKind.Type

/** Which spending of a caller counts under a limit; of several fields, all must apply. */
export const LimitScope = Schema.Struct({
  /** The slug or canonical slug of the model that serves. */
  model: Schema.optionalKey(Schema.String),
  /** The provider that serves, in lower case, by a name that `only` of a request takes. */
  provider: Schema.optionalKey(Schema.String),
  /** The `user` of the request. */
  externalUser: Schema.optionalKey(Schema.String)
})
export type LimitScope = typeof LimitScope.Type

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
  countsByok: Schema.Boolean,
  /** True for a limit that only warns: a store counts under it and reserves any amount. Absent: it binds. */
  soft: Schema.optionalKey(Schema.Literal(true)),
  /** What errors and records call a budget; absent: the kind says it. */
  name: Schema.optionalKey(Schema.String),
  /** Absent: all spending of the callers that have the limit counts. */
  scope: Schema.optionalKey(LimitScope)
})
export type Limit = typeof Limit.Type

/** The most that a store may settle and reserve together under a limit, in nano-USD. */
export const toBindingCap = ({ cap, soft }: Limit): NanoUsd =>
  soft === true ? maxAmount : min(cap, maxAmount)

/** The key of the counter of a limit. No part before the id contains a blank. */
export const toCounterKey = memoize(
  ({ countsByok, id, interval, kind, window }: Limit): string =>
    `${kind} ${interval} ${window} ${countsByok ? "all" : "credits"} ${id}`
)

/** A limit without a window. */
export type LimitDefinition = Omit<Limit, "window" | "endsAt">

/** A limit that never resets. */
export const makeLifetimeLimit = (cap: Omit<LimitDefinition, "interval">): Limit => ({
  ...cap,
  interval: "lifetime",
  window: lifetimeWindow.name,
  endsAt: lifetimeWindow.endsAt
})

/** The limit in the window of `now`. */
export const resolveLimit = (calendar: Calendar, now: number, cap: LimitDefinition): Limit => {
  const { endsAt, name } = calendar.toWindow(cap.interval, now)
  return { ...cap, window: name, endsAt }
}

/** When the window of the limit began, in milliseconds since the epoch; -Infinity for a lifetime. */
export const getBeginning = (
  calendar: Calendar,
  { endsAt, interval }: Pick<Limit, "endsAt" | "interval">
): number => calendar.toWindow(interval, endsAt - 1).beganAt

/** The limit in the window of `now`; the same object while its window lasts. */
export const refreshLimit = (calendar: Calendar, now: number, limit: Limit): Limit =>
  calendar.toWindow(limit.interval, now).name === limit.window
    ? limit
    : resolveLimit(calendar, now, limit)

/** The limits in the window of `now`; the same array while all windows last. */
export const refreshLimits = (
  calendar: Calendar,
  now: number,
  limits: ReadonlyArray<Limit>
): ReadonlyArray<Limit> => {
  for (const limit of limits) {
    if (refreshLimit(calendar, now, limit) !== limit) {
      return limits.map((each) => refreshLimit(calendar, now, each))
    }
  }
  return limits
}

/** Resolves one limit repeatedly: it returns the same object until its window ends. */
export const makeLimitResolver = (
  calendar: Calendar,
  cap: LimitDefinition
): ((now: number) => Limit) => {
  let latest: Limit | undefined
  return (now) =>
    (latest =
      latest === undefined ? resolveLimit(calendar, now, cap) : refreshLimit(calendar, now, latest))
}
