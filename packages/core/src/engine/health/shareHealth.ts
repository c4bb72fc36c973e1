/** Tells the other processes on the same store which endpoints fail here, and hears it from them. */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { maxMessageBytes, ProcessChannel } from "../../instance/ProcessChannel.ts"
import { Settings } from "../../instance/Settings.ts"
import { Health } from "./Health.ts"
import { isCredentialEndpointId } from "./HealthSnapshot.ts"
import { Doubt, evidenceMillis, findEvidence, isFailing } from "./SharedEvidence.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const HealthMessage = Schema.fromJsonString(
  Schema.Struct({
    health: Schema.Struct({
      group: Schema.String,
      endpoints: Schema.Array(
        Schema.Struct({
          id: Schema.String,
          successes: Count,
          failures: Count,
          waitMillis: Schema.Finite,
          /** Absent from processes of earlier versions. */
          suspected: Schema.optionalKey(Count)
        })
      )
    })
  })
)
type EndpointMessage = (typeof HealthMessage.Type)["health"]["endpoints"][number]

const decode = Schema.decodeUnknownOption(HealthMessage)

/** At most one message of a process in this time, and the time between two looks for news. */
const intervalMillis = 1_000

/** Runs with the scope. Without a channel each process learns alone. */
export const layerSharedHealth = Layer.effectDiscard(
  Effect.gen(function* () {
    const channel = yield* ProcessChannel
    if (channel === undefined) return
    const health = yield* Health
    const settings = yield* Settings
    const { healthGroup } = settings
    /** Until when other processes want to know of the successes of an endpoint, by `health.time`. */
    const doubtedUntil = new Map<string, number>()
    /** The endpoints of which others were last told that attempts are suspected. */
    let toldSuspected: ReadonlySet<string> = new Set()

    const receive = (from: string, text: string): void => {
      const decoded = decode(text)
      if (Option.isNone(decoded)) return
      const { endpoints, group } = decoded.value.health
      if (group !== healthGroup) return
      const at = health.time.now()
      for (const { failures, id, successes, suspected = 0, waitMillis } of endpoints) {
        const evidence = {
          from,
          at,
          successes,
          failures,
          waitMillis: Math.min(waitMillis, evidenceMillis),
          suspected
        }
        doubtedUntil.set(id, at + evidenceMillis)
        health.updateDoubt(id, (doubt = new Doubt([], settings)) => doubt.add(evidence))
      }
    }
    yield* channel.messages.pipe(
      Stream.runForEach(({ from, text }) => Effect.sync(() => receive(from, text))),
      Effect.forkScoped({ startImmediately: true })
    )

    const listNews = (since: number, until: number): ReadonlyArray<EndpointMessage> => {
      const now = health.time.now()
      for (const [id, endsAt] of doubtedUntil) {
        if (now < endsAt) continue
        doubtedUntil.delete(id)
        health.updateDoubt(id, () => undefined)
      }
      return health.listTracked().flatMap(([id, tracked]) => {
        if (isCredentialEndpointId(id)) return []
        const seen = findEvidence(tracked, since, until, now)
        const isTakenBack = seen.suspected === 0 && toldSuspected.has(id)
        const hasNews =
          seen.successes + seen.failures + seen.waitMillis + seen.suspected > 0 || isTakenBack
        const isConcerned =
          seen.waitMillis > 0 || isTakenBack || doubtedUntil.has(id) || isFailing(tracked, now)
        return hasNews && isConcerned ? [{ id, ...seen }] : []
      })
    }
    let toldUntil = toSecond(health.time.now())
    let hasToldLast = false
    const isSuspected = yield* Latch.make()
    health.suspicion.run = () => isSuspected.openUnsafe()
    const publish = Effect.suspend(() => {
      isSuspected.closeUnsafe()
      const until = toSecond(health.time.now())
      const endpoints = listNews(toldUntil, until)
      toldUntil = until
      toldSuspected = new Set(
        endpoints.flatMap(({ id, suspected = 0 }) => (suspected > 0 ? [id] : []))
      )
      hasToldLast = endpoints.length > 0
      return endpoints.length === 0 ? Effect.void : channel.publish(toText(healthGroup, endpoints))
    })
    // A first suspicion is told at once: until others know of it, they send requests to an endpoint that hangs.
    const next = Effect.suspend(() => {
      const interval = Effect.sleep(intervalMillis)
      return hasToldLast ? interval : Effect.raceFirst(interval, isSuspected.await)
    })
    yield* Effect.andThen(next, publish).pipe(Effect.forever, Effect.forkScoped)
  })
)

/** Outcomes count by the second, so only those of whole seconds are told. */
const toSecond = (time: number): number => Math.floor(time / 1_000) * 1_000

/** The endpoints that fail most often come first, and as many as fit. */
const toText = (group: string, endpoints: ReadonlyArray<EndpointMessage>): string => {
  const sorted = endpoints.toSorted((self, that) => countFailures(that) - countFailures(self))
  for (let count = Math.min(sorted.length, maxEndpoints); ; count = Math.floor(count / 2)) {
    const text = JSON.stringify({ health: { group, endpoints: sorted.slice(0, count) } })
    if (count === 0 || new TextEncoder().encode(text).length <= maxMessageBytes) return text
  }
}

const countFailures = ({ failures, suspected = 0 }: EndpointMessage): number => failures + suspected

const maxEndpoints = 64
