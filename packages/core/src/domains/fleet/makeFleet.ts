/** The processes that share the store of this one. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ProcessReports, type StoredReport } from "../../instance/ProcessReports.ts"
import { ThisProcess } from "../../instance/ThisProcess.ts"
import { makeProcessReport } from "./makeProcessReport.ts"
import { ProcessReport } from "./ProcessReport.ts"

/** A process, and how old its report is. */
export interface FleetMember {
  readonly report: ProcessReport
  /** Milliseconds since the epoch. */
  readonly seenAt: number
  readonly isSelf: boolean
  /** It has not reported for 15 s: it was killed, is suspended, or cannot reach the store. */
  readonly isLost: boolean
}

export const makeFleet = Effect.gen(function* () {
  const reports = yield* ProcessReports
  const self = yield* makeProcessReport
  const { id } = yield* ThisProcess
  const listOthers = Effect.gen(function* () {
    if (reports === undefined) return []
    const now = yield* Clock.currentTimeMillis
    return (yield* readReports(reports.list))
      .flatMap((each) => toMember(each, now))
      .filter(({ report }) => report.id !== id)
      .toSorted((one, other) => (one.report.started_at < other.report.started_at ? -1 : 1))
  })
  return {
    self,
    /** By their start. While the store is away, none. */
    listOthers,
    /** This process first, then the others. */
    list: Effect.gen(function* () {
      const seenAt = yield* Clock.currentTimeMillis
      const first: FleetMember = { report: yield* self, seenAt, isSelf: true, isLost: false }
      return [first, ...(yield* listOthers)]
    })
  }
})

/** The storage tells its outages itself. */
const readReports = (
  list: Effect.Effect<ReadonlyArray<StoredReport>>
): Effect.Effect<ReadonlyArray<StoredReport>> =>
  Effect.catchCause(list, () => Effect.succeed<ReadonlyArray<StoredReport>>([]))

/** A report of a version that says something else is left out. */
const toMember = ({ ageMillis, document }: StoredReport, now: number): ReadonlyArray<FleetMember> =>
  Option.match(decodeReport(document), {
    onNone: () => [],
    onSome: (report) => [
      { report, seenAt: now - ageMillis, isSelf: false, isLost: ageMillis > lostMillis }
    ]
  })

const decodeReport = Schema.decodeUnknownOption(Schema.fromJsonString(ProcessReport))

const lostMillis = 15_000
