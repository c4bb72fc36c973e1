/** Follows the breakers of this process while any is open, and brings the incidents of their providers up to date. */
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { Health } from "../../engine/health/Health.ts"
import { type BreakerReport, isCredentialEndpointId } from "../../engine/health/HealthSnapshot.ts"
import { ThisProcess } from "../../instance/ThisProcess.ts"
import { StoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import { heartbeatMillis } from "./Incident.ts"
import { IncidentStore } from "./IncidentStore.ts"
import { type FailingEndpoint, observeIncidents, reopenMillis } from "./observeIncidents.ts"

/** Looks at once, and then until nothing fails; `Health.trouble` starts it again. Runs with the scope. */
export const layerIncidentWatch = Layer.effectDiscard(
  Effect.gen(function* () {
    const { trouble } = yield* Health
    const watch = yield* makeIncidentWatch
    const isWanted = yield* Latch.make(true)
    trouble.run = () => isWanted.openUnsafe()
    yield* isWanted.await.pipe(
      Effect.andThen(isWanted.close),
      Effect.andThen(watch),
      Effect.forever,
      Effect.withTracerEnabled(false),
      Effect.forkScoped({ startImmediately: true })
    )
  })
)

/** One look; it is repeated while anything fails. */
const makeIncidentWatch = Effect.gen(function* () {
  const catalog = yield* Catalog
  const clock = yield* Clock.Clock
  const health = yield* Health
  const store = yield* IncidentStore
  const { id: process } = yield* ThisProcess
  /** What was stored last of each provider with failing endpoints. */
  const reported = new Map<string, { readonly failing: string; readonly at: number }>()

  const listFailing = Effect.gen(function* () {
    const ids = Array.from(health.listUnhealthy().keys()).filter(
      (id) => !isCredentialEndpointId(id)
    )
    const { endpoints: reports } = yield* health.reportEndpoints(ids)
    const failing = new Map<string, FailingEndpoint & { readonly provider: string }>()
    if (ids.length === 0) return failing
    const wanted = new Set(ids)
    for (const { endpoints } of catalog.current().models) {
      for (const { id, model, provider } of endpoints) {
        const seen = wanted.has(id) ? toFailure(reports[id]?.breaker) : undefined
        if (seen !== undefined) failing.set(id, { id, model, provider, ...seen })
      }
    }
    return failing
  })

  const look = Effect.gen(function* () {
    const failing = yield* listFailing
    const byProvider = Map.groupBy(failing.values(), ({ provider }) => provider)
    const at = clock.currentTimeMillisUnsafe()
    for (const provider of new Set([...byProvider.keys(), ...reported.keys()])) {
      const own = byProvider.get(provider) ?? []
      const known = reported.get(provider)
      const text = JSON.stringify(own.map(({ id }) => id))
      const isNews = known?.failing !== text || at - known.at >= heartbeatMillis
      if (!isNews) continue
      const newId = `incident-${SecureRandom.uuidV7Unsafe()}`
      const observed = { provider, process, at, newId, failing: own }
      let hasBegun = false
      yield* store.update(provider, at - reopenMillis, (recent) => {
        const changed = observeIncidents(recent, observed)
        hasBegun = changed.some(({ id }) => id === newId)
        return changed
      })
      if (hasBegun) yield* store.purge(at - retentionMillis)
      if (own.length === 0) reported.delete(provider)
      else reported.set(provider, { failing: text, at })
    }
    return reported.size > 0
  })

  return look.pipe(
    Effect.catchCause((cause) =>
      Effect.as(
        cause.reasons.some(
          (reason) => reason._tag === "Die" && reason.defect instanceof StoreUnavailable
        )
          ? // The storage tells its outages itself.
            Effect.void
          : Effect.logError("incidents could not be stored; the next look tries again", cause),
        true
      )
    ),
    Effect.tap((isOn) => (isOn ? Effect.sleep(intervalMillis) : Effect.void)),
    Effect.repeat({ while: (isOn) => isOn })
  )
})

const intervalMillis = 5_000

const retentionMillis = 90 * 86_400_000

/** Undefined: that is no failure. An endpoint that asks for a moment's patience does not fail. */
const toFailure = (
  breaker: BreakerReport | undefined
): Pick<FailingEndpoint, "cause" | "since"> | undefined => {
  switch (breaker?.state) {
    case "open":
      return { since: breaker.since, cause: breaker.cause }
    case "ramping":
      return { since: breaker.since, cause: undefined }
    case "backing_off":
      return breaker.until - breaker.since >= minBackoffMillis
        ? { since: breaker.since, cause: breaker.cause }
        : undefined
    case "closed":
    case undefined:
      return undefined
  }
}

const minBackoffMillis = 60_000
