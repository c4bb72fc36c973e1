/** Reservations, settlements and grants. Each operation takes one round trip on Postgres and one transaction on SQLite. */
import {
  type Calendar,
  getCalendar,
  toCounterKey,
  type Limit,
  LedgerStore,
  LimitExceeded,
  NanoUsd,
  type ReservationRequest,
  Settings,
  toBindingCap
} from "@signalbox/core/stores"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { toDialect } from "../connection/dialect.ts"
import { toKeyText } from "../rows/toKeyText.ts"
import { postgresLedger } from "../ledger/postgresLedger.ts"
import { sqliteLedger } from "../ledger/sqliteLedger.ts"
import { withExactIntegers, withExactIntegersUntimed, clampAmount } from "../ledger/money.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"

export const ledgerStore: Layer.Layer<LedgerStore, never, SqlClient.SqlClient> = Layer.effect(
  LedgerStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const calendar = getCalendar(yield* Settings)
    const { end, renew, reserve } =
      toDialect(sql) === "postgres" ? yield* postgresLedger(sql) : sqliteLedger(sql)

    return {
      reserve: Effect.fnUntraced(function* (request: ReservationRequest) {
        const now = yield* Clock.currentTimeMillis
        const id = crypto.randomUUID()
        const { amount, leaseMillis, limits } = request
        const rejection = yield* withExactIntegersUntimed(
          reserve({
            id,
            amount: clampAmount(amount),
            leaseMillis,
            limits: limits.map((limit) => toLedgerLimit(calendar, limit, now))
          })
        )
        const limit = rejection === undefined ? undefined : limits[rejection.limitIndex]
        if (rejection === undefined || limit === undefined) return id
        const { available, held } = rejection
        return yield* new LimitExceeded({
          limit,
          amount,
          available,
          ...(held === undefined ? undefined : { held })
        })
      }),
      settle: (id, owed) =>
        Effect.map(withExactIntegersUntimed(end(id, clampAmount(owed))), (charged) =>
          charged === undefined
            ? { charged: NanoUsd.zero, overrun: NanoUsd.zero }
            : { charged, overrun: NanoUsd.make(owed - charged) }
        ),
      release: (id) => Effect.asVoid(withExactIntegersUntimed(end(id, NanoUsd.zero))),
      renew: (id, leaseMillis) => guardStoreCall(renew(id, leaseMillis)),
      grant: (account, amount) =>
        withExactIntegers(
          Effect.map(
            sql<{ total: bigint }>`INSERT INTO grants ${sql.insert({
              account: toKeyText(account),
              granted: clampAmount(amount),
              initial: 0n
            })} ON CONFLICT (account) DO UPDATE SET
              granted = CASE WHEN grants.granted > ${NanoUsd.maxAmount} - excluded.granted
                THEN ${NanoUsd.maxAmount} ELSE grants.granted + excluded.granted END
              RETURNING granted + initial AS total`,
            ([row]) => clampAmount(NanoUsd.make(row?.total ?? amount))
          )
        ),
      setInitialCredits: (account, amount) =>
        withExactIntegers(
          Effect.asVoid(
            sql`INSERT INTO grants ${sql.insert({
              account: toKeyText(account),
              granted: 0n,
              initial: clampAmount(amount)
            })} ON CONFLICT (account) DO UPDATE SET initial = excluded.initial`
          )
        ),
      findGrantedCredits: (account) =>
        withExactIntegers(
          Effect.map(
            sql<{ total: bigint }>`SELECT granted + initial AS total FROM grants
              WHERE account = ${toKeyText(account)}`,
            ([row]) => (row === undefined ? undefined : clampAmount(NanoUsd.make(row.total)))
          )
        ),
      getUsage: Effect.fnUntraced(function* (limit) {
        const { beganAt, counterKey, countsByok, interval, subject } = toLedgerLimit(
          calendar,
          limit,
          yield* Clock.currentTimeMillis
        )
        // One statement, because a page of limits asks for each of them.
        const [row] = yield* sql<UsageRow>`
          SELECT settled, reserved, credits, byok FROM (SELECT 1) AS scan
          LEFT JOIN limit_counters ON counter_key = ${counterKey}
          LEFT JOIN spend
            ON subject = ${subject} AND interval_name = ${interval} AND began_at >= ${beganAt}`
        const spent = (row?.credits ?? 0n) + (countsByok ? (row?.byok ?? 0n) : 0n)
        return {
          settled: clampAmount(NanoUsd.max(NanoUsd.make(row?.settled ?? 0n), NanoUsd.make(spent))),
          reserved: NanoUsd.make(row?.reserved ?? 0n)
        }
      }, withExactIntegers)
    }
  })
)

/** Null where nothing was counted or spent. */
interface UsageRow {
  readonly settled: bigint | null
  readonly reserved: bigint | null
  readonly credits: bigint | null
  readonly byok: bigint | null
}

/** A limit in columns. Once its window is over it has no `subject`, whose row may already count the next window. */
const toLedgerLimit = (calendar: Calendar, limit: Limit, now: number) => ({
  counterKey: toKeyText(toCounterKey(limit)),
  cap: toBindingCap(limit),
  endsAt: limit.endsAt === Infinity ? null : limit.endsAt,
  countsByok: limit.countsByok,
  subject: limit.subject === undefined || limit.endsAt <= now ? null : toKeyText(limit.subject),
  interval: limit.interval,
  beganAt: limit.interval === "lifetime" ? 0 : calendar.toWindow(limit.interval, now).beganAt
})
