/** What is reserved, settled and granted: verbs in one round trip on Postgres, one transaction on SQLite. */
import {
  counterOf,
  type Limit,
  LedgerStore,
  LimitExceeded,
  NanoUsd,
  type ReservationRequest,
  windowAt
} from "@signalbox/core/stores"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { dialectOf } from "../dialect.ts"
import { keyText } from "../keyText.ts"
import { postgresLedger } from "../ledger/postgresLedger.ts"
import { sqliteLedger } from "../ledger/sqliteLedger.ts"
import { exactly, exactlyInTheEnd, kept } from "../ledger/money.ts"
import { inTime } from "../orUnavailable.ts"

export const ledgerStore: Layer.Layer<LedgerStore, never, SqlClient.SqlClient> = Layer.effect(
  LedgerStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const { end, reserve } = (dialectOf(sql) === "postgres" ? postgresLedger : sqliteLedger)(sql)

    return {
      reserve: Effect.fnUntraced(function* (request: ReservationRequest) {
        const now = yield* Clock.currentTimeMillis
        const id = crypto.randomUUID()
        const { amount, leaseMillis, limits } = request
        const refused = yield* exactlyInTheEnd(
          reserve({
            id,
            amount: kept(amount),
            now,
            lapsesAt: now + leaseMillis,
            limits: limits.map((limit) => heldOf(limit, now))
          })
        )
        const limit = refused === undefined ? undefined : limits[refused.place]
        if (refused === undefined || limit === undefined) return id
        return yield* new LimitExceeded({ limit, amount, available: refused.available })
      }),
      settle: (id, owed) =>
        Effect.map(exactlyInTheEnd(end(id, kept(owed))), (charged) =>
          charged === undefined
            ? { charged: NanoUsd.zero, overrun: NanoUsd.zero }
            : { charged, overrun: NanoUsd.make(owed - charged) }
        ),
      release: (id) => Effect.asVoid(exactlyInTheEnd(end(id, NanoUsd.zero))),
      renew: Effect.fnUntraced(function* (id, leaseMillis) {
        const now = yield* Clock.currentTimeMillis
        const renewed = yield* sql`UPDATE reservations SET lapses_at = ${now + leaseMillis}
          WHERE id = ${id} AND lapses_at > ${now} RETURNING id`
        return renewed.length > 0
      }, inTime),
      grant: (account, amount) =>
        exactly(
          Effect.map(
            sql<{ total: bigint }>`INSERT INTO grants ${sql.insert({
              account: keyText(account),
              granted: kept(amount),
              endowed: 0n
            })} ON CONFLICT (account) DO UPDATE SET
              granted = CASE WHEN grants.granted > ${NanoUsd.most} - excluded.granted
                THEN ${NanoUsd.most} ELSE grants.granted + excluded.granted END
              RETURNING granted + endowed AS total`,
            ([row]) => kept(NanoUsd.make(row?.total ?? amount))
          )
        ),
      endow: (account, amount) =>
        exactly(
          Effect.asVoid(
            sql`INSERT INTO grants ${sql.insert({
              account: keyText(account),
              granted: 0n,
              endowed: kept(amount)
            })} ON CONFLICT (account) DO UPDATE SET endowed = excluded.endowed`
          )
        ),
      granted: (account) =>
        exactly(
          Effect.map(
            sql<{ total: bigint }>`SELECT granted + endowed AS total FROM grants
              WHERE account = ${keyText(account)}`,
            ([row]) => (row === undefined ? undefined : kept(NanoUsd.make(row.total)))
          )
        ),
      usage: Effect.fnUntraced(function* (limit) {
        const { beganAt, countsByok, name, span, subject } = heldOf(
          limit,
          yield* Clock.currentTimeMillis
        )
        const [counter] = yield* sql<{ settled: bigint; reserved: bigint }>`
          SELECT settled, reserved FROM counters WHERE name = ${name}`
        const [spend] = yield* sql<{ credits: bigint; byok: bigint }>`
          SELECT credits, byok FROM spend
          WHERE subject = ${subject} AND span = ${span} AND began_at >= ${beganAt}`
        const spent = (spend?.credits ?? 0n) + (countsByok ? (spend?.byok ?? 0n) : 0n)
        return {
          settled: kept(NanoUsd.max(NanoUsd.make(counter?.settled ?? 0n), NanoUsd.make(spent))),
          reserved: NanoUsd.make(counter?.reserved ?? 0n)
        }
      }, exactly)
    }
  })
)

/** The counter of a limit, and where to look what its subject has spent; nowhere once its window is over. */
const heldOf = (limit: Limit, now: number) => ({
  name: keyText(counterOf(limit)),
  cap: kept(limit.cap),
  endsAt: limit.endsAt === Infinity ? null : limit.endsAt,
  countsByok: limit.countsByok,
  subject: limit.subject === undefined || limit.endsAt <= now ? null : keyText(limit.subject),
  span: limit.interval,
  beganAt: limit.interval === "lifetime" ? 0 : windowAt(limit.interval, now).beganAt
})
