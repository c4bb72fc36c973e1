/** Raises alerts for the thresholds of a limit that were crossed, under every rule that watches it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { getCalendar } from "../../engine/ledger/Calendar.ts"
import { LedgerStore } from "../../engine/ledger/LedgerStore.ts"
import { getBeginning, toCounterKey } from "../../engine/ledger/Limit.ts"
import type { SettledLimit } from "../../engine/ledger/SettledLimits.ts"
import type { AlertLimit, AlertType } from "../../engine/observability/alerts/Alert.ts"
import type { AlertThreshold } from "../../engine/observability/alerts/Threshold.ts"
import { Settings } from "../../instance/Settings.ts"
import { setMostRecent } from "../../values/setMostRecent.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { Alerts } from "./Alerts.ts"
import type { AlertRule } from "./AlertRule.ts"
import { computeForecast, type Forecast } from "./computeForecast.ts"
import { describeLimitAlert } from "./describeLimitAlert.ts"
import { type Crossing, type CrossingTrack, findCrossings } from "./findCrossings.ts"
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
