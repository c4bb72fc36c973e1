/** What was spent, by subject: one row for each period, which is that of the latest window. */
import { NanoUsd, noSpend, type Spend, SpendCounters, Subject, windowAt } from "@signalbox/core"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { keyText } from "../keyText.ts"
import { exactly } from "../ledger/money.ts"

const spans = ["lifetime", "daily", "weekly", "monthly"] as const

export const spendCounters: Layer.Layer<SpendCounters, never, SqlClient.SqlClient> = Layer.effect(
  SpendCounters,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    record: (spender, cost, isByok, at) => {
      // Rows are locked in the order in which they are written.
      const rows = Subject.allOf(spender)
        .toSorted()
        .flatMap((subject) =>
          spans.map((span) => ({
            subject: keyText(subject),
            span,
            began_at: beganAt(span, at),
            credits: isByok ? 0n : cost,
            byok: isByok ? cost : 0n
          }))
        )
      if (!Arr.isArrayNonEmpty(rows)) return Effect.void
      return exactly(
        Effect.asVoid(
          sql`INSERT INTO spend ${sql.insert(rows)} ON CONFLICT (subject, span) DO UPDATE SET
            credits = CASE WHEN excluded.began_at > spend.began_at
              THEN excluded.credits ELSE spend.credits + excluded.credits END,
            byok = CASE WHEN excluded.began_at > spend.began_at
              THEN excluded.byok ELSE spend.byok + excluded.byok END,
            began_at = excluded.began_at
            WHERE excluded.began_at >= spend.began_at`
        )
      )
    },
    of: Effect.fnUntraced(function* (subjects, now) {
      const rows = yield* sql<Row>`SELECT subject, span, began_at, credits, byok FROM spend
        WHERE ${sql.in("subject", subjects.map(keyText))}`
      const spends = new Map<string, Spend>()
      for (const { began_at, byok, credits, span, subject } of rows) {
        const known = spends.get(subject) ?? noSpend
        spends.set(
          subject,
          Number(began_at) === beganAt(span, now)
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
