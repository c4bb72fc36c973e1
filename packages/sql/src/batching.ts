/** The stores of what is recorded of each request, written many at a time. */
import {
  counterOf,
  GenerationStore,
  LedgerStore,
  type Limit,
  NanoUsd,
  SpendCounters,
  windowAt
} from "@signalbox/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { type BatchSettings, makeBatches } from "./Batches.ts"
import { writeGenerations } from "./stores/generationStore.ts"
import { type Spent, writeSpent } from "./stores/spendCounters.ts"

/** A record that is asked for before it is written is found all the same. */
const generations = (settings: BatchSettings) =>
  Layer.effect(
    GenerationStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* GenerationStore
      const batches = yield* makeBatches({
        ...settings,
        name: "generations",
        join: (_, generation) => generation,
        write: writeGenerations(sql),
        // Writing a record twice changes nothing.
        retries: 3
      })
      return {
        record: outsideTransactions(sql, store.record, (generation) =>
          batches.offer(generation.id, generation)
        ),
        find: (account, id) =>
          Effect.suspend(() => {
            const found = batches.find(id)
            if (found === undefined) return store.find(account, id)
            return Effect.succeed(found.account === account ? found : undefined)
          })
      }
    })
  )

/**
 * What the same spender spends on one day is one sum, in every window that a limit may have. It is written
 * before a limit that nobody has met yet looks for what was spent before.
 */
const spending = (settings: BatchSettings) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* SpendCounters
      const ledger = yield* LedgerStore
      const batches = yield* makeBatches<Spent>({
        ...settings,
        name: "usage",
        join: (waiting, { at, cost }) => ({
          ...waiting,
          cost: NanoUsd.sum(waiting.cost, cost),
          at: Math.max(waiting.at, at)
        }),
        write: writeSpent(sql),
        // A sum that may have been written is not written again.
        retries: 0
      })
      const counters = SpendCounters.of({
        record: outsideTransactions(sql, store.record, (spender, cost, isByok, at) => {
          const { account, keyHash, user, workspace } = spender
          const { beganAt } = windowAt("daily", at)
          batches.offer(JSON.stringify([account, workspace, keyHash, user, isByok, beganAt]), {
            spender,
            cost,
            isByok,
            at
          })
        }),
        of: (subjects, now) => Effect.andThen(batches.flush, store.of(subjects, now))
      })

      const met = new Set<string>()
      /** Under a cap of its own: one that was changed may have been another's, or nobody's, meanwhile. */
      const isNew = (limit: Limit): boolean => {
        if (limit.subject === undefined) return false
        const name = `${counterOf(limit)} ${limit.cap}`
        if (met.has(name)) return false
        // Whoever is forgotten is new once more.
        if (met.size >= settings.capacity) met.clear()
        met.add(name)
        return true
      }
      return Context.make(SpendCounters, counters).pipe(
        Context.add(LedgerStore, {
          ...ledger,
          reserve: (request) =>
            Effect.suspend(() =>
              // Each is looked at, so that each is met.
              request.limits.filter(isNew).length === 0
                ? ledger.reserve(request)
                : Effect.andThen(batches.flush, ledger.reserve(request))
            ),
          usage: (limit) => Effect.andThen(batches.flush, ledger.usage(limit))
        })
      )
    })
  )

/** A transaction writes itself: it may be undone. */
const outsideTransactions =
  <Args extends ReadonlyArray<unknown>>(
    { transactionService }: SqlClient.SqlClient,
    record: (...args: Args) => Effect.Effect<void>,
    offer: (...args: Args) => void
  ) =>
  (...args: Args): Effect.Effect<void> =>
    Effect.flatMap(Effect.serviceOption(transactionService), (transaction) =>
      Option.isSome(transaction) ? record(...args) : Effect.sync(() => offer(...args))
    )

/** In front of the stores that they take the place of. */
export const batching = (settings: BatchSettings) =>
  Layer.merge(generations(settings), spending(settings))
