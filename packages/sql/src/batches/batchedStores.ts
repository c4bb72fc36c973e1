/** The stores of what is recorded of each request, written many at a time. */
import {
  toCounterKey,
  GenerationStore,
  LedgerStore,
  NanoUsd,
  type ReservationRequest,
  SpendCounters,
  type ChangeTopic,
  toWindow
} from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { type BatchSettings, makeBatchWriter } from "./BatchWriter.ts"
import { StoreCache } from "../cache/StoreCache.ts"
import { writeGenerations } from "../stores/generationStore.ts"
import { type SpendRecord, writeSpend } from "../stores/spendCounters.ts"

/** A record that is asked for before it is written is found all the same. */
const batchedGenerations = (settings: BatchSettings) =>
  Layer.effect(
    GenerationStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* GenerationStore
      const batches = yield* makeBatchWriter({
        ...settings,
        name: "generations",
        merge: (_, generation) => generation,
        write: writeGenerations(sql),
        // Writing a record twice changes nothing.
        retries: 3,
        describe: ({ account, cost, id, workspace }) => ({
          generation: id,
          account,
          workspace,
          ...(cost === undefined ? undefined : { cost_nano_usd: String(cost) })
        })
      })
      return {
        record: batchOutsideTransactions(sql, store.record, (generation) =>
          Effect.sync(() => batches.offer(generation.id, generation))
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
 * before a limit that nobody has met yet looks for what was spent before; not in a transaction, which sees
 * what was written by then (`SpendCounters.written`).
 */
const batchedSpend = (settings: BatchSettings) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* SpendCounters
      const ledger = yield* LedgerStore
      const { getVersion } = yield* StoreCache
      const batches = yield* makeBatchWriter<SpendRecord>({
        ...settings,
        name: "usage",
        merge: (waiting, { at, cost }) => ({
          ...waiting,
          cost: NanoUsd.sum(waiting.cost, cost),
          at: Math.max(waiting.at, at)
        }),
        write: writeSpend(sql),
        // A sum that may have been written is not written again.
        retries: 0,
        describe: ({ at, cost, isByok, spender: { account, keyHash, user, workspace } }) => ({
          account,
          workspace,
          ...(keyHash === undefined ? undefined : { key_hash: keyHash }),
          ...(user === undefined ? undefined : { user }),
          cost_nano_usd: String(cost),
          is_byok: isByok,
          at: new Date(at).toISOString()
        })
      })
      const counters = SpendCounters.of({
        record: batchOutsideTransactions(sql, store.record, (spender, cost, isByok, at) => {
          const { account, keyHash, user, workspace } = spender
          const { beganAt } = toWindow("daily", at)
          const key = JSON.stringify([account, workspace, keyHash, user, isByok, beganAt])
          return Effect.sync(() => batches.offer(key, { spender, cost, isByok, at }))
        }),
        findSpend: batchOutsideTransactions(sql, store.findSpend, (subjects, now) =>
          Effect.andThen(batches.flush, store.findSpend(subjects, now))
        ),
        flush: batchOutsideTransactions(sql, store.flush, () => batches.flush)
      })

      const seenLimits = new Set<string>()
      /**
       * The names of those that nobody has met. Once what limits the account may have been changed, all of its
       * limits are new: one that is what it was before may have been another, or none, meanwhile.
       */
      const listUnseenLimits = ({ account, limits }: ReservationRequest): ReadonlyArray<string> =>
        limits.flatMap((limit) => {
          if (limit.subject === undefined) return []
          const name = `${toCounterKey(limit)} ${limit.cap} ${getVersion(limitTopics, account)}`
          return seenLimits.has(name) ? [] : [name]
        })
      /** Written first: whoever comes meanwhile waits for it too. */
      const flushUnseen = (names: ReadonlyArray<string>) =>
        Effect.map(batches.flush, () => {
          // Whoever is forgotten is new once more.
          if (seenLimits.size >= settings.capacity) seenLimits.clear()
          for (const name of names) seenLimits.add(name)
        })
      return Context.make(SpendCounters, counters).pipe(
        Context.add(LedgerStore, {
          ...ledger,
          // What a transaction meets stays new: it may be undone. Whoever opens one asks for `writtenMessages` before.
          reserve: batchOutsideTransactions(sql, ledger.reserve, (request) => {
            const names = listUnseenLimits(request)
            return names.length === 0
              ? ledger.reserve(request)
              : Effect.andThen(flushUnseen(names), ledger.reserve(request))
          }),
          getUsage: batchOutsideTransactions(sql, ledger.getUsage, (limit) =>
            Effect.andThen(batches.flush, ledger.getUsage(limit))
          )
        })
      )
    })
  )

/**
 * A transaction writes itself, for it may be undone, and nothing that waits: that would be undone with it. Nor
 * does it wait for what is being written, which on SQLite waits for the connection that it holds.
 */
const batchOutsideTransactions =
  <Args extends ReadonlyArray<unknown>, A, E>(
    { transactionService }: SqlClient.SqlClient,
    inside: (...args: Args) => Effect.Effect<A, E>,
    outside: (...args: Args) => Effect.Effect<A, E>
  ) =>
  (...args: Args): Effect.Effect<A, E> =>
    Effect.flatMap(Effect.serviceOption(transactionService), (transaction) =>
      Option.isSome(transaction) ? inside(...args) : outside(...args)
    )

const limitTopics: ReadonlyArray<ChangeTopic> = ["guardrails", "keys", "workspaces"]

/** In front of the stores that they take the place of. */
export const batchedStores = (settings: BatchSettings) =>
  Layer.merge(batchedGenerations(settings), batchedSpend(settings))
