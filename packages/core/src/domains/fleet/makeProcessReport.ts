/** Makes the report of this process. */
import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import * as Metric from "effect/Metric"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import { waitingSettlements } from "../../engine/ledger/makePendingSettlements.ts"
import { Health } from "../../engine/health/Health.ts"
import { type BreakerReport, isCredentialEndpointId } from "../../engine/health/HealthSnapshot.ts"
import { Drain } from "../../instance/Drain.ts"
import { waitingRequests } from "../../routing/attempt/concurrency/makeEndpointLimits.ts"
import { libraryVersion } from "../../instance/libraryVersion.ts"
import { type StorageReport, StorageStatus } from "../../instance/StorageStatus.ts"
import { ThisProcess } from "../../instance/ThisProcess.ts"
import { hashText } from "../../values/hashText.ts"
import type { BreakerResponse, ProcessReport } from "./ProcessReport.ts"

export const makeProcessReport = Effect.gen(function* () {
  const catalog = yield* Catalog
  const drain = yield* Drain
  const health = yield* Health
  const storage = yield* StorageStatus
  const self = yield* ThisProcess
  const { id, startedAt } = self
  return Effect.gen(function* (): Effect.fn.Return<ProcessReport> {
    const busy = health.listBusy().filter((endpoint) => !isCredentialEndpointId(endpoint))
    const { endpoints } = yield* health.reportEndpoints(busy.slice(0, maxEndpoints))
    const settlements = yield* Metric.value(waitingSettlements)
    const requests = yield* Metric.value(waitingRequests)
    const configuration = catalog.current()
    const stored = storage.report()
    return {
      id,
      started_at: new Date(startedAt).toISOString(),
      version: libraryVersion,
      status: findProcessStatus(drain.isReady(), stored),
      configuration: {
        fingerprint: fingerprintConfiguration(configuration),
        made_at: new Date(configuration.version).toISOString(),
        models: configuration.models.length
      },
      running: drain.running(),
      ...(self.eventLoop === undefined ? undefined : { event_loop_delay: self.eventLoop.millis }),
      endpoints: Object.entries(endpoints).map(([endpoint_id, { breaker, inFlight = 0 }]) => ({
        endpoint_id,
        breaker: toBreakerResponse(breaker),
        in_flight: inFlight
      })),
      connection_waits: health.connectionWaits
        .list()
        .map(([provider, waiting]) => ({ provider, waiting })),
      queues: [
        ...stored.queues.map(({ dropped, failed, name, waiting }) => ({
          name,
          waiting,
          dropped,
          failed
        })),
        { name: "settlements", waiting: settlements.value, dropped: 0, failed: 0 },
        { name: "requests", waiting: requests.value, dropped: 0, failed: 0 }
      ]
    }
  })
})

const maxEndpoints = 500

/** The state of a breaker, as the HTTP API shows it. */
export const toBreakerResponse = (breaker: BreakerReport): typeof BreakerResponse.Type => {
  const { state } = breaker
  return {
    state,
    since: state === "closed" ? null : new Date(breaker.since).toISOString(),
    cause: state === "open" || state === "backing_off" ? breaker.cause : null,
    next_probe_at:
      state === "open"
        ? new Date(breaker.nextProbeAt).toISOString()
        : state === "backing_off"
          ? new Date(breaker.until).toISOString()
          : null,
    share: state === "ramping" ? breaker.share : null
  }
}

/**
 * A hash by which processes are compared: those with equal ones serve the same models in the same way. 64 bits in
 * hex. It covers all that a host configures of models and endpoints, and the names of upstreams; what is code, such
 * as an upstream itself, is not compared. Memoized, because a configuration never changes.
 */
export const fingerprintConfiguration = memoize(({ models, upstreams }: Configuration): string => {
  const text = JSON.stringify(
    [
      Array.from(upstreams.keys()),
      models.map(({ router, ...model }) => [
        model,
        router === undefined ? [] : [router.kind, Array.from(router.endpoints)]
      ])
    ],
    toJsonValue
  )
  return [0, 1].map((seed) => toHex(hashText(seed, text))).join("")
})

/** What JSON has no form for: amounts, and the collections of prices and parameters. */
const toJsonValue = (_: string, value: unknown): unknown => {
  if (typeof value === "bigint") return String(value)
  return value instanceof Map || value instanceof Set ? Array.from(value) : value
}

const toHex = (hash: number): string => (hash >>> 0).toString(16).padStart(8, "0")

/** Whether a process takes requests, and why not. */
export const findProcessStatus = (
  isReady: boolean,
  { outage }: StorageReport
): ProcessReport["status"] => {
  if (!isReady) return "draining"
  return outage === undefined ? "ready" : "storage_unavailable"
}
