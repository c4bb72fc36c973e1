/** The stores of what is recorded of each request, written many at a time. */
import { GenerationStore, NanoUsd, SpendCounters, windowAt } from "@signalbox/core"
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

/** What the same spender spends on one day is one sum, in every window that a limit may have. */
const spending = (settings: BatchSettings) =>
  Layer.effect(
    SpendCounters,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* SpendCounters
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
      return {
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
      }
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
