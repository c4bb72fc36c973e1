/** Records what attempts come to and counts those under way, and reports the health of their endpoints, in memory and per process. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../../instance/Settings.ts"
import { SteadyTime } from "../../values/SteadyTime.ts"
import { setOwn } from "../../values/ownFields.ts"
import { setMostRecent } from "../../values/setMostRecent.ts"
import { applyDoubt, type Doubted, replaceDoubt } from "./applyDoubt.ts"
import { ConnectionWaits } from "./ConnectionWaits.ts"
import { LiveControls } from "./control/LiveControls.ts"
import * as EndpointHealth from "./EndpointHealth.ts"
import type { BreakerReport, EndpointReport, HealthSnapshot } from "./HealthSnapshot.ts"
import type { Outcome } from "./Outcome.ts"
import * as RecentLatency from "./RecentLatency.ts"
import type { Doubt } from "./SharedEvidence.ts"

/** Folds the outcomes of attempts into the health of each endpoint. */
export class Health extends Context.Service<
  Health,
  {
    /** The time of outcomes and breakers in this process. */
    readonly time: SteadyTime
    /** Requests that wait for a connection, which says nothing about their endpoint. */
    readonly connectionWaits: ConnectionWaits
    /** What operators ask of endpoints; plans take it from their snapshot. */
    readonly controls: LiveControls
    /** `run` is called after each failure while the breaker of its endpoint is not closed. */
    readonly trouble: { run?: () => void }
    /** `run` is called when one more attempt is suspected to fail. */
    readonly suspicion: { run?: () => void }
    readonly record: (outcome: Outcome) => void
    /**
     * An attempt under way is suspected to fail, which counts for plans until `endSuspicion` is called, once, when it answers
     * or ends.
     */
    readonly suspect: (endpoint: string) => void
    readonly endSuspicion: (endpoint: string) => void
    /** Counts an attempt as under way until `end` is called, once. */
    readonly begin: (endpoint: string) => void
    readonly end: (endpoint: string) => void
    /**
     * The health of these endpoints. Cheap: reports are cached until they change; measurements and attempts under way
     * may be a second old. With `isCurrent`, `inFlight` and `recentMillis` are up to date.
     */
    readonly snapshot: (endpoints: Iterable<string>, isCurrent?: boolean) => HealthSnapshot
    /**
     * Called before an attempt: whether it may be made. While the breaker is open, one caller per
     * probe interval gets true and is expected to make the attempt.
     */
    readonly claim: (endpoint: string) => boolean
    /** Replaces what other processes make doubtful about an endpoint. A success of this process ends the doubt. */
    readonly updateDoubt: (
      endpoint: string,
      update: (doubt: Doubt | undefined) => Doubt | undefined
    ) => void
    /** The outcomes of every endpoint. */
    readonly listTracked: () => ReadonlyArray<
      readonly [endpoint: string, EndpointHealth.EndpointHealth]
    >
    /** The endpoints whose breaker is not closed, with its state. Cheap: no measurements are computed. */
    readonly listUnhealthy: () => ReadonlyMap<string, Exclude<BreakerReport["state"], "closed">>
    /** The endpoints with attempts under way, and those whose breaker is not closed. As cheap as `listUnhealthy`. */
    readonly listBusy: () => ReadonlyArray<string>
    /** The current health of all endpoints. Expensive: every report is computed anew. */
    readonly reportAll: Effect.Effect<HealthSnapshot>
    /** The current health of these endpoints only. */
    readonly reportEndpoints: (endpoints: Iterable<string>) => Effect.Effect<HealthSnapshot>
  }
>()("@signalbox/core/engine/health/Health") {
  /** Keeps the most recently tried endpoints, up to `maxTrackedEndpoints`. */
  static readonly layer = Layer.effect(
    Health,
    Effect.gen(function* () {
      const time = new SteadyTime(yield* Clock.Clock)
      const settings = yield* Settings
      const trouble: Health["Service"]["trouble"] = {}
      const suspicion: Health["Service"]["suspicion"] = {}
      /** Least recently tried first. */
      const byEndpoint = new Map<string, TrackedEndpoint>()

      let mostRecent: TrackedEndpoint | undefined
      const touch = (endpoint: string, known: TrackedEndpoint): void => {
        if (known === mostRecent) return
        mostRecent = known
        setMostRecent(byEndpoint, endpoint, known, settings.maxTrackedEndpoints)
      }

      const makeSnapshot =
        (toReport: (known: TrackedEndpoint, now: number) => EndpointReport) =>
        (endpoints: Iterable<string>): HealthSnapshot => {
          const now = time.now()
          const jump = time.getJump(now)
          const reports: Record<string, EndpointReport> = {}
          for (const endpoint of endpoints) {
            const known = byEndpoint.get(endpoint)
            if (known !== undefined && isTried(known)) {
              setOwn(reports, endpoint, moveBreaker(toReport(known, now), jump))
            }
          }
          return { at: now + jump, endpoints: reports }
        }

      const listUnhealthy: Health["Service"]["listUnhealthy"] = () => {
        const now = time.now()
        const unhealthy = new Map<string, Exclude<BreakerReport["state"], "closed">>()
        for (const [endpoint, { health }] of byEndpoint) {
          const { state } = EndpointHealth.toBreakerReport(health, now, settings)
          if (state !== "closed") unhealthy.set(endpoint, state)
        }
        return unhealthy
      }

      const reportEndpoints = makeSnapshot((known, now) => {
        foldRecent(known, settings)
        return {
          ...applyDoubt(EndpointHealth.toReport(known.health, now, settings), known, now, settings),
          ...(known.inFlight === 0 ? undefined : { inFlight: known.inFlight }),
          longer: EndpointHealth.toLongWindowStats(known.health, now)
        }
      })
      const snapshotCached = makeSnapshot((known, now) => getReport(known, now, settings))
      const snapshotCurrent = makeSnapshot((known, now) =>
        withCurrentLoad(getReport(known, now, settings), known, now)
      )

      return {
        time,
        connectionWaits: new ConnectionWaits(),
        controls: new LiveControls(),
        trouble,
        suspicion,
        record: (outcome) => {
          const { endpoint } = outcome
          const known = byEndpoint.get(endpoint) ?? makeTrackedEndpoint()
          if (isDoubted(known) && outcome.result === "success") {
            known.doubt = undefined
            known.returnsAt = undefined
            delete known.cached
          }
          const { cached, health, recent } = known
          // It changes only measurements then, and those may be stale.
          const isCovered =
            cached?.health === health &&
            isHealthy(cached.report) &&
            EndpointHealth.isPlain(health, outcome)
          const [first] = recent
          if (
            first !== undefined &&
            !(isCovered && recent.length < maxRecent && EndpointHealth.isSameSecond(first, outcome))
          ) {
            foldRecent(known, settings)
          }
          if (isCovered) recent.push(outcome)
          else {
            known.health = EndpointHealth.recordOutcome(known.health, outcome, settings)
            if (outcome.result !== "success" && EndpointHealth.isTroubled(known.health)) {
              trouble.run?.()
            }
          }
          if (known.health !== EndpointHealth.empty) touch(endpoint, known)
        },
        suspect: (endpoint) => {
          const known = byEndpoint.get(endpoint) ?? makeTrackedEndpoint()
          foldRecent(known, settings)
          known.health = EndpointHealth.addSuspected(known.health, 1)
          touch(endpoint, known)
          suspicion.run?.()
        },
        endSuspicion: (endpoint) => {
          const known = byEndpoint.get(endpoint)
          if (known === undefined) return
          foldRecent(known, settings)
          known.health = EndpointHealth.addSuspected(known.health, -1)
        },
        begin: (endpoint) => {
          const known = byEndpoint.get(endpoint) ?? makeTrackedEndpoint()
          known.inFlight += 1
          touch(endpoint, known)
        },
        end: (endpoint) => {
          const known = byEndpoint.get(endpoint)
          // It may have been evicted, and tracked again, since the attempt began.
          if (known !== undefined && known.inFlight > 0) known.inFlight -= 1
        },
        snapshot: (endpoints, isCurrent) =>
          isCurrent === true ? snapshotCurrent(endpoints) : snapshotCached(endpoints),
        claim: (endpoint) => {
          const known = byEndpoint.get(endpoint)
          if (known === undefined) return true
          touch(endpoint, known)
          const claimed = EndpointHealth.claim(known.health, time.now(), settings)
          known.health = claimed ?? known.health
          return claimed !== undefined
        },
        updateDoubt: (endpoint, update) => {
          const known = byEndpoint.get(endpoint) ?? makeTrackedEndpoint()
          foldRecent(known, settings)
          replaceDoubt(known, update(known.doubt), time.now())
          delete known.cached
          touch(endpoint, known)
        },
        listTracked: () =>
          Array.from(byEndpoint, ([endpoint, known]) => {
            foldRecent(known, settings)
            return [endpoint, known.health]
          }),
        listUnhealthy,
        listBusy: () => {
          const unhealthy = listUnhealthy()
          return Array.from(byEndpoint).flatMap(([endpoint, { inFlight }]) =>
            inFlight > 0 || unhealthy.has(endpoint) ? [endpoint] : []
          )
        },
        reportAll: Effect.sync(() => reportEndpoints(byEndpoint.keys())),
        reportEndpoints: (endpoints) => Effect.sync(() => reportEndpoints(endpoints))
      }
    })
  )
}

/** An endpoint and its cached report. */
interface TrackedEndpoint extends Doubted {
  health: EndpointHealth.EndpointHealth
  /** Attempts under way. */
  inFlight: number
  /** Plain outcomes of one second that are not in `health` yet, and that the cached report need not show. */
  readonly recent: Array<Outcome>
  cached?: {
    /** The report holds for it. */
    health: EndpointHealth.EndpointHealth
    /** Until when the cached report is valid without new outcomes. */
    readonly expiresAt: number
    readonly measuredAt: number
    readonly stats: EndpointHealth.EndpointStats
    readonly report: EndpointReport
  }
}

const makeTrackedEndpoint = (): TrackedEndpoint => ({
  health: EndpointHealth.empty,
  doubt: undefined,
  returnsAt: undefined,
  inFlight: 0,
  recent: []
})

/** An attempt that says nothing about the endpoint leaves no report once it has ended. */
const isTried = (known: TrackedEndpoint): boolean =>
  known.inFlight > 0 ||
  known.recent.length > 0 ||
  known.health !== EndpointHealth.empty ||
  isDoubted(known)

/** The report with what changes with every attempt, which would make caching it useless. */
const withCurrentLoad = (
  report: EndpointReport,
  { health, inFlight, recent }: TrackedEndpoint,
  now: number
): EndpointReport => {
  const recentMillis = RecentLatency.toMillis(
    recent.reduce(RecentLatency.record, health.recent),
    now
  )
  if ((report.inFlight ?? 0) === inFlight && report.recentMillis === recentMillis) return report
  const { recentMillis: _, ...rest } = report
  return { ...rest, ...(recentMillis === undefined ? undefined : { recentMillis }), inFlight }
}

/** Bounds the memory of a busy endpoint. */
const maxRecent = 64

/** Folds recent outcomes into the health; the cached report stays valid. */
const foldRecent = (known: TrackedEndpoint, rules: EndpointHealth.HealthRules): void => {
  const { cached, health, recent } = known
  if (!Arr.isArrayNonEmpty(recent)) return
  known.health = EndpointHealth.recordPlain(health, recent, rules)
  if (cached?.health === health) cached.health = known.health
  recent.length = 0
}

const isHealthy = ({ breaker, outage, returning }: EndpointReport): boolean =>
  breaker.state === "closed" && outage === undefined && returning === undefined

const isDoubted = ({ doubt, returnsAt }: Doubted): boolean =>
  doubt !== undefined || returnsAt !== undefined

/** How old measurements may be, because every request takes a snapshot. */
const statsTtlMillis = 1_000

const getReport = (
  known: TrackedEndpoint,
  now: number,
  rules: EndpointHealth.HealthRules
): EndpointReport => {
  const { cached } = known
  if (cached !== undefined && cached.health === known.health && now < cached.expiresAt) {
    return cached.report
  }
  foldRecent(known, rules)
  const { health } = known
  const fresh = cached !== undefined && now - cached.measuredAt < statsTtlMillis
  const measuredAt = fresh ? cached.measuredAt : now
  const stats = fresh ? cached.stats : EndpointHealth.toEndpointStats(health, now, rules)
  const idle = applyDoubt(EndpointHealth.toReport(health, now, rules, stats), known, now, rules)
  const { inFlight } = known
  const report = inFlight === 0 ? idle : { ...idle, inFlight }
  const expiresAt =
    report.returning === undefined
      ? Math.min(EndpointHealth.getReportExpiry(health, now, rules), measuredAt + statsTtlMillis)
      : now
  known.cached = { health, expiresAt, measuredAt, stats, report }
  return report
}

/** `jump` is what to add, in milliseconds. */
const moveBreaker = (report: EndpointReport, jump: number): EndpointReport =>
  jump === 0 || report.breaker.state === "closed"
    ? report
    : { ...report, breaker: moveTimes(report.breaker, jump) }

const moveTimes = (breaker: BreakerReport, jump: number): BreakerReport => {
  switch (breaker.state) {
    case "closed":
      return breaker
    case "open":
      return {
        ...breaker,
        since: breaker.since + jump,
        nextProbeAt: breaker.nextProbeAt + jump
      }
    case "ramping":
      return { ...breaker, since: breaker.since + jump }
    case "backing_off":
      return { ...breaker, since: breaker.since + jump, until: breaker.until + jump }
  }
}
