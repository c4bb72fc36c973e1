/** Checks the health that this process measures periodically, and raises alerts when a provider is down or many attempts fail. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { Health } from "../../engine/health/Health.ts"
import type { EndpointReport, HealthSnapshot } from "../../engine/health/HealthSnapshot.ts"
import type { AlertHealth, AlertType } from "../../engine/observability/alerts/Alert.ts"
import { Settings } from "../../instance/Settings.ts"
import { defaultAccountId, defaultWorkspaceId } from "../../values/ids/Ids.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { AlertConfig } from "./CurrentAlertConfig.ts"
import { Alerts } from "./Alerts.ts"

/** What raises an alert when it begins, and another one when it ends. */
interface Condition {
  readonly kind: HealthKind
  readonly name: string
  readonly types: readonly [begins: AlertType, ends: AlertType]
  readonly health: GroupHealth
  /** Undefined: nothing new is known. */
  readonly isOn: boolean | undefined
  /** How long it must last before the alert is raised. */
  readonly afterMillis: number
  readonly describe: (isOn: boolean) => string
}

/**
 * Watches until the scope closes. Each process knows only the health that it measures. Of several that notice the same, one
 * raises the alert, and the first that sees the end reports the end.
 */
export const makeHealthWatch = Effect.fnUntraced(function* ({
  errorRate,
  providerDown
}: AlertConfig) {
  if (!providerDown && errorRate === undefined) return
  const alerts = yield* Alerts
  const catalog = yield* Catalog
  const health = yield* Health
  const { alertHealthMillis } = yield* Settings
  /** Since when this process has seen a condition, by claim, and whether it has passed it to `Alerts`. */
  const seen = new Map<string, { readonly since: number; isRaised: boolean }>()
  /** The claims of conditions that this process has seen to be off. */
  const healthy = new Set<string>()

  const follow = Effect.fnUntraced(function* (condition: Condition) {
    const { afterMillis, isOn, kind, name, types } = condition
    const key = JSON.stringify([types[0], kind, name])
    const now = yield* Clock.currentTimeMillis
    const known = seen.get(key)
    if (isOn === true) {
      const state = known ?? { since: now, isRaised: false }
      seen.set(key, state)
      if (state.isRaised || now - state.since < afterMillis) return
      const claim = { key, level: NanoUsd.zero, expiresAt: now + claimMillis }
      yield* alerts.raise(claim, toAlert(condition, types[0], true))
      state.isRaised = true
    } else if (isOn === false && (known !== undefined || !healthy.has(key))) {
      // At the first check, too: the process that raised the alert may have ended since.
      if (known?.isRaised !== false) yield* alerts.resolve(key, toAlert(condition, types[1], false))
      seen.delete(key)
      healthy.add(key)
    }
  })

  const checkHealth = Effect.gen(function* () {
    const endpoints = catalog.current().models.flatMap((model) => model.endpoints)
    const snapshot = yield* health.reportEndpoints(endpoints.map(({ id }) => id))
    const conditions = [
      ...(providerDown ? listOutages(endpoints, snapshot) : []),
      ...(errorRate === undefined ? [] : listErrorRates(endpoints, snapshot, errorRate))
    ]
    yield* Effect.forEach(conditions, follow, { discard: true })
  })

  yield* checkHealth.pipe(
    Effect.catchCause((cause) =>
      Effect.logError(
        "Alerts about providers could not be raised; the next check tries again",
        cause
      )
    ),
    Effect.delay(alertHealthMillis),
    Effect.forever,
    Effect.withTracerEnabled(false),
    Effect.forkScoped
  )
})

/** After a restart of all processes, a condition that lasts raises another alert when the claim has expired. */
const claimMillis = 86_400_000

type Snapshot = Parameters<typeof measureHealth>[1]

const listOutages = (
  endpoints: ReadonlyArray<GroupedEndpoint>,
  snapshot: Snapshot
): ReadonlyArray<Condition> =>
  Array.from(measureHealth(endpoints, snapshot, "provider"), ([name, health]) => ({
    kind: "provider",
    name,
    types: ["alert.provider_down", "alert.provider_up"],
    health,
    isOn: health.isDown,
    afterMillis: 0,
    describe: (isOn) =>
      isOn
        ? `Provider ${name} is down: ${health.cause ?? "its circuit breaker is open"}. ` +
          "Requests go to other providers of their models, if there are any; it is probed until it answers."
        : `Provider ${name} is up again and gets its share of the requests back.`
  }))

const listErrorRates = (
  endpoints: ReadonlyArray<GroupedEndpoint>,
  snapshot: Snapshot,
  { above, by, minRequests, minutes }: NonNullable<AlertConfig["errorRate"]>
): ReadonlyArray<Condition> =>
  Array.from(measureHealth(endpoints, snapshot, by), ([name, health]) => ({
    kind: by,
    name,
    types: ["alert.error_rate_exceeded", "alert.error_rate_recovered"],
    health,
    isOn: health.requests < minRequests ? undefined : health.errors > health.requests * above,
    afterMillis: minutes * 60_000,
    describe: (isOn) => {
      const { errors, requests } = health
      const rate = `${errors} of ${requests} attempts failed in the last five minutes (${toPercent(errors / requests)})`
      return isOn
        ? `The error rate of ${by} ${name} is above ${toPercent(above)}: ${rate}. Look at the errors of its requests.`
        : `The error rate of ${by} ${name} is back below ${toPercent(above)}: ${rate}.`
    }
  }))

/** Providers are the host's, so the alert goes to its own account. */
const toAlert = ({ describe, health, kind, name }: Condition, type: AlertType, isOn: boolean) => ({
  type,
  account: defaultAccountId,
  workspace_id: defaultWorkspaceId,
  rule_id: null,
  message: describe(isOn),
  threshold: null,
  limit: null,
  health: {
    kind,
    name,
    requests: health.requests,
    errors: health.errors,
    cause: isOn ? (health.cause ?? null) : null
  }
})

const toPercent = (share: number): string => `${Math.round(share * 1_000) / 10} %`

/** What has a rate of errors. */
type HealthKind = AlertHealth["kind"]

/** An endpoint as the catalog has it. */
interface GroupedEndpoint {
  readonly id: string
  readonly model: string
  readonly provider: string
}

interface GroupHealth {
  /** Attempts of the last five minutes that succeeded or failed; rate limits are neither. */
  readonly requests: number
  readonly errors: number
  /**
   * The breakers of all endpoints that were used in these minutes are open. Undefined: none was used and no breaker says
   * anything.
   */
  readonly isDown: boolean | undefined
  /** Why the first breaker opened. */
  readonly cause: string | undefined
}

/** The health of each provider, endpoint or model that this process has tried, by name. */
const measureHealth = (
  endpoints: ReadonlyArray<GroupedEndpoint>,
  { endpoints: reports }: HealthSnapshot,
  kind: HealthKind
): ReadonlyMap<string, GroupHealth> => {
  const groups = Map.groupBy(
    endpoints.filter(({ id }) => Object.hasOwn(reports, id)),
    (endpoint) => (kind === "endpoint" ? endpoint.id : endpoint[kind])
  )
  return new Map(
    Array.from(groups, ([name, members]) => [
      name,
      toGroupHealth(members.flatMap(({ id }) => reports[id] ?? []))
    ])
  )
}

const toGroupHealth = (reports: ReadonlyArray<EndpointReport>): GroupHealth => {
  let requests = 0
  let errors = 0
  for (const report of reports) {
    const failed = countErrors(report)
    errors += failed
    requests += failed + report.answers.valid
  }
  const active = reports.filter(
    (report) => report.breaker.state !== "closed" || report.answers.valid + countErrors(report) > 0
  )
  const open = active.flatMap(({ breaker }) => (breaker.state === "open" ? [breaker] : []))
  return {
    requests,
    errors,
    isDown: active.length === 0 ? undefined : open.length === active.length,
    cause: open[0]?.cause
  }
}

const countErrors = ({ errors }: EndpointReport): number =>
  Object.values(errors).reduce((sum, count) => sum + count, 0)
