/** Ends and makes reservations in one statement of Postgres. */
import { NanoUsd } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { stringifyWithBigInts } from "../rows/stringifyWithBigInts.ts"
import type { CounterOperation } from "./CounterQueue.ts"
import { type LedgerLimit, type ReserveCommand, toReservedLimits } from "./LedgerDriver.ts"
import type { Rooms } from "./RecentRejections.ts"

interface ReserveOperation extends CounterOperation {
  readonly reserve: ReserveCommand
  /** When it was asked for, in monotonic milliseconds. */
  readonly at: number
}

interface EndOperation extends CounterOperation {
  readonly end: { readonly id: string; readonly owed: NanoUsd.NanoUsd }
}

export type LedgerOperation = ReserveOperation | EndOperation

/** What a refused reservation lacked, or what a reservation was charged; undefined: it was made, or had ended before. */
export type LedgerResult =
  | { readonly rooms: Rooms }
  | { readonly charged: NanoUsd.NanoUsd }
  | undefined

interface Row {
  readonly operation: string
  readonly charged: bigint | null
  readonly rooms: string | null
}

/** Results in the order of the operations. Of two ends of one reservation, the first is charged. */
export const applyOperations = (
  sql: SqlClient.SqlClient,
  operations: ReadonlyArray<LedgerOperation>
): Effect.Effect<ReadonlyArray<LedgerResult>, SqlError> => {
  const ends: Array<EndOperation["end"]> = []
  const counters: Array<LedgerLimit> = []
  const positions = new Map<string, number>()
  const toPosition = (limit: LedgerLimit): number => {
    const known = positions.get(limit.counterKey)
    const position = known ?? counters.length + 1
    // The latest, whose window may have ended meanwhile.
    counters[position - 1] = limit
    if (known === undefined) positions.set(limit.counterKey, position)
    return position
  }
  const reserves: Array<object> = []
  for (const operation of operations) {
    if ("end" in operation) {
      ends.push(operation.end)
      continue
    }
    const { amount, id, leaseMillis, limits } = operation.reserve
    const pairs = limits.map((limit) => [toPosition(limit), limit.cap] as const)
    reserves.push({
      id,
      amount,
      leaseMillis,
      limits: pairs,
      counters: Array.from(new Set(pairs.map(([position]) => position))),
      reserved: JSON.stringify(toReservedLimits(limits))
    })
  }
  return Effect.map(
    Effect.provideService(
      sql<Row>`SELECT operation, charged, rooms FROM ledger_apply(
        ${stringifyWithBigInts(ends)}, ${stringifyWithBigInts(counters)}, ${stringifyWithBigInts(reserves)})`,
      SqlClient.SafeIntegers,
      true
    ),
    (rows) => {
      const results = new Map(rows.map((row) => [row.operation, toResult(row)]))
      return operations.map((operation) => {
        const id = "end" in operation ? operation.end.id : operation.reserve.id
        const result = results.get(id)
        results.delete(id)
        return result
      })
    }
  )
}

const toResult = ({ charged, rooms }: Row): LedgerResult =>
  charged === null
    ? { rooms: (rooms ?? "").split(",").map(BigInt) }
    : { charged: NanoUsd.make(charged) }
