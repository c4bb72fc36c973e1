/** Raises alerts for the thresholds of a limit that were crossed, under every rule that watches it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { getCalendar } from "../../engine/ledger/Calendar.ts"
import { LedgerStore } from "../../engine/ledger/LedgerStore.ts"
import { getBeginning, type Limit, toCounterKey } from "../../engine/ledger/Limit.ts"
import type { SettledLimit } from "../../engine/ledger/SettledLimits.ts"
import type {
  AlertLimit,
  AlertThreshold,
  AlertType
} from "../../engine/observability/alerts/Alert.ts"
import { Settings } from "../../instance/Settings.ts"
import { setMostRecent } from "../../values/setMostRecent.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { shorten } from "../../values/validation/text.ts"
import type { AlertRule } from "./AlertRule.ts"
import { Alerts } from "./Alerts.ts"
import { computeForecast, type Forecast } from "./computeForecast.ts"
import { type LimitOwner, makeFindLimitOwner } from "./findLimitOwner.ts"

/** The rule of the host has no id, and watches the limits of all workspaces. */
export type WatchingRule = Pick<AlertRule, "limits" | "thresholds"> & {
  readonly id: string | null
  readonly workspace_id: string | null
}

/** Made once for an instance. */
export const makeCheckLimit = Effect.gen(function* () {
  const alerts = yield* Alerts
  const calendar = getCalendar(yield* Settings)
  const ledger = yield* LedgerStore
  const findOwner = yield* makeFindLimitOwner
  /** The highest level that has raised an alert, by claim, so that the store is asked once. */
  const raised = new Map<string, NanoUsd.NanoUsd>()

  return Effect.fnUntraced(function* (
    { account, hasRefused, limit }: SettledLimit,
    rules: ReadonlyArray<WatchingRule>
  ) {
    const watching = rules.filter(
      ({ limits }) => limits === null || limits.some((kind) => kind === limit.kind)
    )
    if (watching.length === 0) return
    const { settled } = yield* ledger.getUsage(limit)
    const now = yield* Clock.currentTimeMillis
    const { cap, endsAt } = limit
    const forecast = computeForecast({
      settled,
      cap,
      endsAt,
      now,
      beganAt: getBeginning(calendar, limit)
    })
    const crossed = watching.flatMap((rule) =>
      findCrossings(rule.thresholds, { cap, settled, hasRefused, forecast })
        .map((crossing) => ({ rule, crossing, key: toClaimKey(limit, rule, crossing) }))
        .filter(({ crossing, key }) => (raised.get(key) ?? -1n) < crossing.level)
    )
    if (crossed.length === 0) return
    const owner = yield* findOwner(account, limit)
    const figures = toFigures(limit, owner, settled, forecast)
    for (const { crossing, key, rule } of crossed) {
      if (rule.workspace_id !== null && rule.workspace_id !== owner.workspace) continue
      yield* alerts.raise(
        { key, level: crossing.level, expiresAt: toClaimExpiry(endsAt, now) },
        {
          type: alertTypes[crossing.track],
          account,
          workspace_id: owner.workspace,
          rule_id: rule.id,
          message: describeLimitAlert(owner, limit, crossing.threshold, figures),
          threshold: crossing.threshold,
          limit: figures,
          health: null
        }
      )
      setMostRecent(raised, key, crossing.level, maxRaisedKeys)
    }
  })
})

const alertTypes: Readonly<Record<CrossingTrack, AlertType>> = {
  share: "alert.threshold_crossed",
  spent: "alert.threshold_crossed",
  forecast: "alert.forecast_exceeded",
  refused: "alert.limit_refused"
}

/** A new cap rearms all tracks but `spent`. The key of the counter is unique among all accounts. */
const toClaimKey = (
  limit: SettledLimit["limit"],
  { id }: WatchingRule,
  { track }: Crossing
): string =>
  `${track} ${track === "spent" ? "any" : limit.cap} ${id ?? "host"} ${toCounterKey(limit)}`

/** Counters live a day longer than their window; thresholds of limits that never reset are rearmed after a year. */
const toClaimExpiry = (endsAt: number, now: number): number =>
  endsAt === Infinity ? now + 365 * dayMillis : Math.max(endsAt, now) + dayMillis

const dayMillis = 86_400_000

const maxRaisedKeys = 10_000

const toFigures = (
  limit: SettledLimit["limit"],
  { guardrail, keyHash, name, user }: LimitOwner,
  settled: NanoUsd.NanoUsd,
  forecast: Forecast | undefined
): AlertLimit => {
  const { cap, endsAt, interval, kind } = limit
  return {
    kind,
    name,
    guardrail_id: guardrail,
    key_hash: keyHash,
    user_id: user,
    external_user_id: limit.scope?.externalUser ?? null,
    interval,
    resets_at: endsAt === Infinity ? null : new Date(endsAt).toISOString(),
    soft: limit.soft === true,
    limit: NanoUsd.toUsdNumber(cap),
    settled: NanoUsd.toUsdNumber(settled),
    remaining: NanoUsd.toUsdNumber(NanoUsd.max(NanoUsd.make(cap - settled), NanoUsd.zero)),
    percent: cap === NanoUsd.zero ? 100 : Number((settled * 1_000n) / cap) / 10,
    forecast: forecast === undefined ? null : NanoUsd.toUsdNumber(forecast.total),
    exhausted_at:
      forecast?.exhaustedAt === undefined ? null : new Date(forecast.exhaustedAt).toISOString()
  }
}

/** The rule of the option `alerts`. */
export const toHostRule = (
  thresholds: ReadonlyArray<AlertThreshold>
): ReadonlyArray<WatchingRule> =>
  thresholds.length === 0 ? [] : [{ id: null, workspace_id: null, limits: null, thresholds }]

/** Says which limit it is, its share, the amounts in USD, when it resets, and what to do. */
const describeLimitAlert = (
  owner: LimitOwner,
  { interval, kind }: Pick<Limit, "interval" | "kind">,
  threshold: AlertThreshold,
  figures: AlertLimit
): string =>
  [
    `${nameLimit(owner, interval, kind)} ${describeThreshold(threshold, figures)}: ` +
      `${formatUsd(figures.settled)} of ${formatUsd(figures.limit)} USD are spent (${figures.percent} %).`,
    ...(figures.exhausted_at === null
      ? []
      : [`At this rate it is spent on ${formatTime(figures.exhausted_at)}.`]),
    figures.resets_at === null
      ? "It does not reset."
      : `It resets on ${formatTime(figures.resets_at)}.`,
    advise(kind, figures)
  ].join(" ")

const describeThreshold = (threshold: AlertThreshold, { forecast }: AlertLimit): string => {
  if ("percent" in threshold) return `has reached ${threshold.percent} %`
  if ("spent" in threshold) return `has reached ${formatUsd(threshold.spent)} USD`
  if ("remaining" in threshold) return `has ${formatUsd(threshold.remaining)} USD or less left`
  return "forecast" in threshold
    ? `will not last: its period ends at ${(forecast ?? 0).toFixed(2)} USD if it goes on like this`
    : "has refused a request, whose cost might have exceeded the rest"
}

const advise = (kind: string, { remaining, soft }: AlertLimit): string => {
  if (soft) return "It only warns: no request is refused."
  const raise = kind === "credits" ? "Grant credits" : "Raise the limit"
  return remaining === 0
    ? `${raise} to let requests through again.`
    : `${raise} or spend less; requests that may cost more than the rest are refused.`
}

const nameLimit = (
  { guardrail, keyName, name, user }: LimitOwner,
  interval: string,
  kind: string
): string => {
  const period = interval === "lifetime" ? "" : `${interval} `
  const what = name === null ? "" : ` ${quote(name)}`
  const spender =
    keyName !== null
      ? ` for key ${quote(keyName)}`
      : user !== null
        ? ` for user ${quote(user)}`
        : ""
  switch (kind) {
    case "credits":
      return "The credit of the account"
    case "workspace":
      return `The ${period}budget of workspace${what}`
    case "key":
      return keyName === null && user === null
        ? `The ${period}limit of the application`
        : `The ${period}limit of ${keyName === null ? "user" : "key"}${what}`
    case "guardrail":
      return `The ${period}budget of guardrail${what === "" ? ` ${guardrail}` : what}${spender}`
    case "budget":
      return `The ${period}budget${what}`
    case "experiment":
      return `The budget of experiment${what}`
    default:
      return `The ${period}${kind} limit${what}${spender}`
  }
}

/** Others choose the names. */
const quote = (name: string): string => JSON.stringify(shorten(name))

/** With cents at least, and up to nine decimals. */
const formatUsd = (usd: number): string => {
  const [whole = "0", decimals = ""] = usd.toFixed(9).split(".")
  return `${whole}.${decimals.replace(/0+$/, "").padEnd(2, "0")}`
}

/** `2026-11-23 at 04:05 UTC` */
const formatTime = (iso: string): string => `${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC`

/**
 * Each track raises alerts of its own. Those of `share` depend on the cap, so a new cap rearms them; `spent` raises one alert
 * in a period, with any cap.
 */
type CrossingTrack = "share" | "spent" | "forecast" | "refused"

interface Crossing {
  readonly track: CrossingTrack
  readonly threshold: AlertThreshold
  /** The settled amount from which it is crossed; 0 where no amount is compared. */
  readonly level: NanoUsd.NanoUsd
}

export interface LimitSpend {
  readonly cap: NanoUsd.NanoUsd
  readonly settled: NanoUsd.NanoUsd
  readonly hasRefused: boolean
  readonly forecast: Forecast | undefined
}

/**
 * The highest crossed threshold of each track, because spending that jumps over several raises one alert. There is no
 * forecast once the limit is spent.
 */
export const findCrossings = (
  thresholds: ReadonlyArray<AlertThreshold>,
  spend: LimitSpend
): ReadonlyArray<Crossing> => {
  const highest = new Map<CrossingTrack, Crossing>()
  for (const threshold of thresholds) {
    const crossing = findCrossing(threshold, spend)
    if (crossing === undefined) continue
    const known = highest.get(crossing.track)
    if (known === undefined || known.level < crossing.level) highest.set(crossing.track, crossing)
  }
  return Array.from(highest.values())
}

const findCrossing = (
  threshold: AlertThreshold,
  { cap, forecast, hasRefused, settled }: LimitSpend
): Crossing | undefined => {
  if ("forecast" in threshold) {
    return forecast !== undefined && settled < cap && forecast.total > cap
      ? { track: "forecast", threshold, level: NanoUsd.zero }
      : undefined
  }
  if ("refused" in threshold) {
    return hasRefused ? { track: "refused", threshold, level: NanoUsd.zero } : undefined
  }
  const level = NanoUsd.max(toLevel(threshold, cap), NanoUsd.zero)
  return settled < level || (level === NanoUsd.zero && settled === NanoUsd.zero)
    ? undefined
    : { track: "spent" in threshold ? "spent" : "share", threshold, level }
}

const toLevel = (
  threshold: Exclude<AlertThreshold, { readonly forecast: true } | { readonly refused: true }>,
  cap: NanoUsd.NanoUsd
): NanoUsd.NanoUsd => {
  if ("spent" in threshold) return NanoUsd.fromUsdNumber(threshold.spent)
  if ("remaining" in threshold) {
    return NanoUsd.make(cap - NanoUsd.fromUsdNumber(threshold.remaining))
  }
  // Percentages have up to three decimals.
  const thousandths = BigInt(Math.ceil(threshold.percent * 1_000))
  return NanoUsd.min(NanoUsd.make((cap * thousandths + 99_999n) / 100_000n), NanoUsd.maxAmount)
}
