/** Spending by subject and interval. A row counts only the latest window of its interval. */
import {
  type Calendar,
  getCalendar,
  NanoUsd,
  noSpend,
  Settings,
  type Spend,
  SpendCounters,
  Subject
} from "@signalbox/core/stores"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { toKeyText } from "../rows/toKeyText.ts"
import { withExactIntegers, clampAmount } from "../ledger/money.ts"

const spendIntervals = ["lifetime", "daily", "weekly", "monthly"] as const

export const spendCounters: Layer.Layer<SpendCounters, never, SqlClient.SqlClient> = Layer.effect(
  SpendCounters,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const calendar = getCalendar(yield* Settings)
    const write = writeSpend(sql, calendar)
    return {
      record: (spender, cost, isByok, at) => write([{ spender, cost, isByok, at }]),
      flush: () => Effect.void,
      findSpend: Effect.fnUntraced(function* (subjects, now) {
        const rows =
          yield* sql<StoredSpendRow>`SELECT subject, interval_name, began_at, credits, byok FROM spend
        WHERE ${sql.in("subject", subjects.map(toKeyText))}`
        const spends = new Map<string, Spend>()
        for (const { began_at, byok, credits, interval_name, subject } of rows) {
          const known = spends.get(subject) ?? noSpend
          spends.set(
            subject,
            // A window later than now means that the clock was set back; its spending still counts.
            Number(began_at) >= toWindowStart(calendar, interval_name, now)
              ? {
                  ...known,
                  ...toSpendFields(interval_name, NanoUsd.make(credits), NanoUsd.make(byok))
                }
              : known
          )
        }
        return new Map(
          subjects.flatMap((subject) => {
            const spend = spends.get(toKeyText(subject))
            return spend === undefined ? [] : [[subject, spend]]
          })
        )
      }, withExactIntegers)
    }
  })
)

/** One cost, or the sum of several of one spender. */
export interface SpendRecord {
  readonly spender: Subject.Spender
  readonly cost: NanoUsd.NanoUsd
  readonly isByok: boolean
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Writes all records in one statement. Its rows are sorted, so that concurrent writes lock them in one order. */
export const writeSpend =
  (sql: SqlClient.SqlClient, calendar: Calendar) =>
  (records: ReadonlyArray<SpendRecord>): Effect.Effect<void> => {
    const rowByKey = new Map<string, SpendRow>()
    for (const { at, cost, isByok, spender } of records) {
      for (const subject of Subject.listSubjects(spender)) {
        for (const interval_name of spendIntervals) {
          const key = JSON.stringify([subject, interval_name])
          rowByKey.set(
            key,
            mergeRows(rowByKey.get(key), {
              subject: toKeyText(subject),
              interval_name,
              began_at: toWindowStart(calendar, interval_name, at),
              credits: isByok ? NanoUsd.zero : clampAmount(cost),
              byok: isByok ? clampAmount(cost) : NanoUsd.zero
            })
          )
        }
      }
    }
    const rows = Array.from(rowByKey.values()).toSorted(
      (one, other) =>
        compareText(one.subject, other.subject) ||
        compareText(one.interval_name, other.interval_name)
    )
    return Arr.isArrayNonEmpty(rows)
      ? withExactIntegers(
          Effect.asVoid(
            sql`INSERT INTO spend ${sql.insert(rows)} ON CONFLICT (subject, interval_name) DO UPDATE SET
              credits = CASE WHEN excluded.began_at > spend.began_at THEN excluded.credits
                WHEN spend.credits > ${NanoUsd.maxAmount} - excluded.credits THEN ${NanoUsd.maxAmount}
                ELSE spend.credits + excluded.credits END,
              byok = CASE WHEN excluded.began_at > spend.began_at THEN excluded.byok
                WHEN spend.byok > ${NanoUsd.maxAmount} - excluded.byok THEN ${NanoUsd.maxAmount}
                ELSE spend.byok + excluded.byok END,
              began_at = excluded.began_at
              WHERE excluded.began_at >= spend.began_at`
          )
        )
      : Effect.void
  }

type SpendRow = Readonly<{
  subject: string
  interval_name: SpendInterval
  began_at: number
  credits: NanoUsd.NanoUsd
  byok: NanoUsd.NanoUsd
}>

/** Adds rows of one window; of two windows, keeps the later. */
const mergeRows = (one: SpendRow | undefined, other: SpendRow): SpendRow => {
  if (one === undefined || one.began_at < other.began_at) return other
  if (one.began_at > other.began_at) return one
  return {
    ...one,
    credits: NanoUsd.sum(one.credits, other.credits),
    byok: NanoUsd.sum(one.byok, other.byok)
  }
}

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

type SpendInterval = (typeof spendIntervals)[number]

interface StoredSpendRow {
  readonly subject: string
  readonly interval_name: SpendInterval
  readonly began_at: bigint
  readonly credits: bigint
  readonly byok: bigint
}

const toWindowStart = (calendar: Calendar, interval: SpendInterval, at: number): number =>
  interval === "lifetime" ? 0 : calendar.toWindow(interval, at).beganAt

const toSpendFields = (
  interval: SpendInterval,
  usage: NanoUsd.NanoUsd,
  byok: NanoUsd.NanoUsd
): Partial<Spend> => {
  const period = interval === "lifetime" ? "" : (`_${interval}` as const)
  return { [`usage${period}`]: usage, [`byok_usage${period}`]: byok }
}
