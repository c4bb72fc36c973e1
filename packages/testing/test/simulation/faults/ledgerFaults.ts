/** Ledgers that count wrongly. */
import {
  LedgerStore,
  LimitExceeded,
  NanoUsd,
  type ReservationRequest
} from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { PlantedFault } from "./PlantedFault.ts"

type Ledger = LedgerStore["Service"]

const replaceLedger =
  (change: (ledger: Ledger) => Partial<Ledger>): NonNullable<PlantedFault["database"]> =>
  (stores) => {
    const ledger = Context.get(stores, LedgerStore)
    return Context.add(stores, LedgerStore, { ...ledger, ...change(ledger) })
  }

/** Reserves without a look at the caps. */
const reserveAnyway = (ledger: Ledger, request: ReservationRequest) =>
  ledger.reserve({
    ...request,
    limits: request.limits.map((limit) => ({ ...limit, cap: NanoUsd.maxAmount }))
  })

export const ledgerFaults: ReadonlyArray<PlantedFault> = [
  {
    name: "the ledger checks a limit, and reserves a moment later",
    breaks: "noLimitOverspent",
    database: replaceLedger((ledger) => ({
      reserve: Effect.fnUntraced(function* (request) {
        for (const limit of request.limits) {
          const { reserved, settled } = yield* ledger.getUsage(limit)
          const available = NanoUsd.make(limit.cap - reserved - settled)
          if (request.amount > available) {
            return yield* new LimitExceeded({ limit, amount: request.amount, available })
          }
        }
        yield* Effect.sleep(2)
        return yield* reserveAnyway(ledger, request)
      })
    }))
  },
  {
    name: "a settlement is answered, and lost",
    breaks: "booksMatchBills",
    database: replaceLedger((ledger) => ({
      settle: (id, amount) =>
        Effect.as(ledger.release(id), { charged: amount, overrun: NanoUsd.zero })
    }))
  },
  {
    name: "a settlement is charged again when its answer was lost",
    breaks: "booksMatchBills",
    database: replaceLedger((ledger) => {
      const requests = new Map<string, ReservationRequest>()
      const settled = new Set<string>()
      return {
        reserve: (request) =>
          Effect.tap(ledger.reserve(request), (id) =>
            Effect.sync(() => void requests.set(id, request))
          ),
        settle: (id, amount) => {
          const request = requests.get(id)
          if (request === undefined || !settled.has(id)) {
            settled.add(id)
            return ledger.settle(id, amount)
          }
          return Effect.flatMap(
            Effect.orDie(reserveAnyway(ledger, { ...request, amount })),
            (again) => ledger.settle(again, amount)
          )
        }
      }
    })
  },
  {
    name: "what a killed process had reserved is never charged",
    breaks: "booksMatchBills",
    database: replaceLedger((ledger) => ({
      reserve: (request) => ledger.reserve({ ...request, leaseMillis: 1e12 })
    }))
  },
  {
    name: "half of every tenth charge is paid back",
    breaks: "booksMatchBills",
    database: replaceLedger((ledger) => {
      let settlements = 0
      return {
        settle: (id, amount) =>
          ++settlements % 10 === 0
            ? Effect.map(ledger.settle(id, NanoUsd.make(amount / 2n)), ({ overrun }) => ({
                charged: amount,
                overrun
              }))
            : ledger.settle(id, amount)
      }
    })
  },
  {
    name: "each request begins a day of its own",
    breaks: "noDayIsOverspent",
    process: replaceLedger((ledger) => {
      let days = 0
      return {
        reserve: (request) =>
          ledger.reserve({
            ...request,
            limits: request.limits.map((limit) =>
              limit.interval === "daily" ? { ...limit, window: `${limit.window}-${++days}` } : limit
            )
          })
      }
    })
  }
]
