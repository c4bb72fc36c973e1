/** What was spent, by subject: one row for each period, which is that of the latest window. */
import {
  NanoUsd,
  noSpend,
  type Spend,
  SpendCounters,
  Subject,
  windowAt
} from "@signalbox/core/stores"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { keyText } from "../keyText.ts"
import { exactly, kept } from "../ledger/money.ts"

const spans = ["lifetime", "daily", "weekly", "monthly"] as const

export const spendCounters: Layer.Layer<SpendCounters, never, SqlClient.SqlClient> = Layer.effect(
  SpendCounters,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    record: (spender, cost, isByok, at) => writeSpent(sql)([{ spender, cost, isByok, at }]),
    written: () => Effect.void,
    of: Effect.fnUntraced(function* (subjects, now) {
      const rows = yield* sql<Row>`SELECT subject, span, began_at, credits, byok FROM spend
        WHERE ${sql.in("subject", subjects.map(keyText))}`
      const spends = new Map<string, Spend>()
      for (const { began_at, byok, credits, span, subject } of rows) {
        const known = spends.get(subject) ?? noSpend
        spends.set(
          subject,
          // A later window means that the clock was set back: what was spent stays spent.
          Number(began_at) >= beganAt(span, now)
            ? { ...known, ...named(span, NanoUsd.make(credits), NanoUsd.make(byok)) }
            : known
        )
      }
      return new Map(
        subjects.flatMap((subject) => {
          const spend = spends.get(keyText(subject))
          return spend === undefined ? [] : [[subject, spend]]
        })
      )
    }, exactly)
  }))
)

export interface Spent {
  readonly spender: Subject.Spender
  readonly cost: NanoUsd.NanoUsd
  readonly isByok: boolean
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** In one statement, whose rows are locked in the order in which they are written. */
export const writeSpent =
  (sql: SqlClient.SqlClient) =>
  (spent: ReadonlyArray<Spent>): Effect.Effect<void> => {
    const byName = new Map<string, Written>()
    for (const { at, cost, isByok, spender } of spent) {
      for (const subject of Subject.allOf(spender)) {
        for (const span of spans) {
          const name = JSON.stringify([subject, span])
          byName.set(
            name,
            later(byName.get(name), {
              subject: keyText(subject),
              span,
              began_at: beganAt(span, at),
              credits: isByok ? NanoUsd.zero : kept(cost),
              byok: isByok ? kept(cost) : NanoUsd.zero
            })
          )
        }
      }
    }
    const rows = Array.from(byName.values()).toSorted(
      (one, other) => compare(one.subject, other.subject) || compare(one.span, other.span)
    )
    return Arr.isArrayNonEmpty(rows)
      ? exactly(
          Effect.asVoid(
            sql`INSERT INTO spend ${sql.insert(rows)} ON CONFLICT (subject, span) DO UPDATE SET
              credits = CASE WHEN excluded.began_at > spend.began_at THEN excluded.credits
                WHEN spend.credits > ${NanoUsd.most} - excluded.credits THEN ${NanoUsd.most}
                ELSE spend.credits + excluded.credits END,
              byok = CASE WHEN excluded.began_at > spend.began_at THEN excluded.byok
                WHEN spend.byok > ${NanoUsd.most} - excluded.byok THEN ${NanoUsd.most}
                ELSE spend.byok + excluded.byok END,
              began_at = excluded.began_at
              WHERE excluded.began_at >= spend.began_at`
          )
        )
      : Effect.void
  }

type Written = Readonly<{
  subject: string
  span: Span
  began_at: number
  credits: NanoUsd.NanoUsd
  byok: NanoUsd.NanoUsd
}>

/** Both in the same window; else the one in the later. */
const later = (one: Written | undefined, other: Written): Written => {
  if (one === undefined || one.began_at < other.began_at) return other
  if (one.began_at > other.began_at) return one
  return {
    ...one,
    credits: NanoUsd.sum(one.credits, other.credits),
    byok: NanoUsd.sum(one.byok, other.byok)
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

type Span = (typeof spans)[number]

interface Row {
  readonly subject: string
  readonly span: Span
  readonly began_at: bigint
  readonly credits: bigint
  readonly byok: bigint
}

const beganAt = (span: Span, at: number): number =>
  span === "lifetime" ? 0 : windowAt(span, at).beganAt

const named = (span: Span, usage: NanoUsd.NanoUsd, byok: NanoUsd.NanoUsd): Partial<Spend> => {
  const period = span === "lifetime" ? "" : (`_${span}` as const)
  return { [`usage${period}`]: usage, [`byok_usage${period}`]: byok }
}
