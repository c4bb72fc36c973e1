/** Reports this process to the others on its store, and warns when they serve different configurations or count apart. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { ProcessReports } from "../../instance/ProcessReports.ts"
import { ThisProcess } from "../../instance/ThisProcess.ts"
import { readMonotonicMillis } from "../../values/SteadyTime.ts"
import { RateLimits } from "../../tenants/auth/rateLimits/RateLimits.ts"
import { EventLoopDelay } from "./EventLoopDelay.ts"
import { type FleetMember, makeFleet } from "./makeFleet.ts"

/** Runs with the scope, whose end removes the report. */
export const layerFleet = ({ hasSharedLimits }: FleetOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const reports = yield* ProcessReports
      if (reports === undefined) return
      const limits = yield* RateLimits
      const self = yield* ThisProcess
      const fleet = yield* makeFleet
      const clock = yield* Clock.Clock
      const eventLoop = new EventLoopDelay()
      self.eventLoop = eventLoop
      yield* Effect.forkScoped(eventLoop.watch(() => readMonotonicMillis(clock)))
      const warnings = [
        makeLastingWarning(findDifference),
        makeLastingWarning((members) =>
          hasSharedLimits || !limits.isUsed() ? undefined : findUnsharedLimits(members)
        )
      ]

      const compare = Effect.flatMap(fleet.list, (members) => {
        const live = members.filter(({ isLost }) => !isLost)
        self.fleetSize = live.length
        return Effect.forEach(warnings, (warn) => warn(live), { discard: true })
      })
      yield* Effect.flatMap(fleet.self, (report) => {
        eventLoop.turn()
        return reports.publish(self.id, JSON.stringify(report))
      }).pipe(
        Effect.andThen(compare),
        // The storage tells its outages itself.
        Effect.ignoreCause,
        Effect.repeat(Schedule.spaced(intervalMillis)),
        Effect.withTracerEnabled(false),
        Effect.forkScoped
      )
      yield* Effect.addFinalizer(() => Effect.ignoreCause(reports.remove(self.id)))
    })
  )

interface FleetOptions {
  /** Whether processes count rate limits together. */
  readonly hasSharedLimits: boolean
}

/** Warns once of what is found for a minute: while a roll-out replaces processes, they differ by intent. */
const makeLastingWarning = (find: (live: ReadonlyArray<FleetMember>) => string | undefined) => {
  /** How many times in a row it was found. */
  let rounds = 0
  return (live: ReadonlyArray<FleetMember>): Effect.Effect<void> => {
    const found = find(live)
    rounds = found === undefined ? 0 : rounds + 1
    return found !== undefined && rounds === toleratedRounds
      ? Effect.logWarning(found)
      : Effect.void
  }
}

const intervalMillis = 5_000

const toleratedRounds = 60_000 / intervalMillis

/** What several processes that count rate limits apart admit together, for the log; undefined: one counts alone. */
const findUnsharedLimits = ({ length }: ReadonlyArray<FleetMember>): string | undefined =>
  length > 1
    ? `each of the ${length} processes on this store counts rate limits, tokens and parallel requests for itself, so callers get up to ${length} times as much as their limits; the option rateLimits shares them, for example redisRateLimits({ url }) of @signalbox/redis`
    : undefined

/** What the processes that report do not have in common, for the log; undefined: nothing. */
export const findDifference = (live: ReadonlyArray<FleetMember>): string | undefined => {
  const fingerprints = countEach(live.map(({ report }) => report.configuration.fingerprint))
  const versions = countEach(live.map(({ report }) => report.version))
  const found = [
    ...(fingerprints.size > 1
      ? [
          `configurations (${describe(fingerprints)}); replace() and sources are of one process, so call replace() in each`
        ]
      : []),
    ...(versions.size > 1 ? [`versions of the library (${describe(versions)})`] : [])
  ]
  return found.length === 0
    ? undefined
    : `the ${live.length} processes on this store have served different ${found.join(", and different ")} for a minute`
}

const countEach = (texts: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

const describe = (counts: ReadonlyMap<string, number>): string =>
  Array.from(counts, ([text, count]) => `${text} in ${count}`).join(", ")
