/** Writes the records of requests, generations and spending, in batches. */
import {
  toCounterKey,
  type FailedRequest,
  FailedRequestStore,
  GenerationStore,
  LedgerStore,
  NanoUsd,
  type ReservationRequest,
  RollupStore,
  SpendCounters,
  type ChangeTopic,
  getCalendar,
  Settings
} from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { type BatchSettings, makeBatchWriter } from "./BatchWriter.ts"
import { writeOnce } from "./writeOnce.ts"
import { StoreCache } from "../cache/StoreCache.ts"
import { writeFailedRequests } from "../stores/failedRequestStore.ts"
import { writeGenerations } from "../stores/generationStore.ts"
import { type SpendRecord, writeSpend } from "../stores/spendCounters.ts"

/** Finds records that are not written yet, too. Lists write them first. */
const batchedGenerations = (settings: BatchSettings) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* GenerationStore
      const rollups = yield* RollupStore
      const batches = yield* makeBatchWriter({
        ...settings,
        name: "generations",
        merge: (_, generation) => generation,
        write: writeGenerations(sql, rollups),
        describe: ({ account, cost, id, workspace }) => ({
          generation: id,
          account,
          workspace,
          ...(cost === undefined ? undefined : { cost_nano_usd: String(cost) })
        })
      })
      return Context.make(GenerationStore, {
        record: batchOutsideTransactions(sql, store.record, (generations) =>
          Effect.suspend(() =>
            batches.offer(generations.map((generation) => [generation.id, generation]))
          )
        ),
        find: (account, id) =>
          Effect.suspend(() => {
            const waiting = batches.find(id)
            if (waiting === undefined) return store.find(account, id)
            return Effect.succeed(waiting.account === account ? waiting : undefined)
          }),
        list: batchOutsideTransactions(sql, store.list, (filter, page) =>
          Effect.andThen(batches.flush, store.list(filter, page))
        ),
        listSessions: batchOutsideTransactions(sql, store.listSessions, (filter, page) =>
          Effect.andThen(batches.flush, store.listSessions(filter, page))
        ),
        scan: batchOutsideTransactions(sql, store.scan, (from, page) =>
          Effect.andThen(batches.flush, store.scan(from, page))
        )
      }).pipe(
        Context.add(RollupStore, {
          ...rollups,
          list: batchOutsideTransactions(sql, rollups.list, (query) =>
            Effect.andThen(batches.flush, rollups.list(query))
          )
        })
      )
    })
  )

/**
 * Sums the costs of a spender by day, the shortest window of a limit. Waiting sums are written before the
 * first reservation under a new limit, which reads past spending. A transaction sees only what is written, so
 * its caller runs `SpendCounters.flush` before it begins.
 */
const batchedSpend = (settings: BatchSettings) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* SpendCounters
      const ledger = yield* LedgerStore
      const { getVersion } = yield* StoreCache
      const calendar = getCalendar(yield* Settings)
      const write = writeSpend(sql, calendar)
      const batches = yield* makeBatchWriter<SpendRecord>({
        ...settings,
        name: "usage",
        merge: (waiting, { at, cost }) => ({
          ...waiting,
          cost: NanoUsd.sum(waiting.cost, cost),
          at: Math.max(waiting.at, at)
        }),
        write: (records, id) => writeOnce(sql, id, write(records)),
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
          const { account, keyHash, tags, user, workspace } = spender
          const { beganAt } = calendar.toWindow("daily", at)
          const key = JSON.stringify([account, workspace, keyHash, user, tags, isByok, beganAt])
          return Effect.suspend(() => batches.offer([[key, { spender, cost, isByok, at }]]))
        }),
        findSpend: batchOutsideTransactions(sql, store.findSpend, (subjects, now) =>
          Effect.andThen(batches.flush, store.findSpend(subjects, now))
        ),
        flush: batchOutsideTransactions(sql, store.flush, () => batches.flush)
      })

      const seenLimits = new Set<string>()
      /**
       * Keys of the limits that no reservation has seen. A change of anything that sets limits makes all limits
       * of the account new: one that looks the same may have been lifted in between.
       */
      const listUnseenLimits = ({ account, limits }: ReservationRequest): ReadonlyArray<string> =>
        limits.flatMap((limit) => {
          if (limit.subject === undefined) return []
          const key = `${toCounterKey(limit)} ${limit.cap} ${getVersion(limitTopics, account)}`
          return seenLimits.has(key) ? [] : [key]
        })
      /** Marks limits as seen only after the flush, so that concurrent reservations wait for it too. */
      const flushUnseen = (keys: ReadonlyArray<string>) =>
        Effect.map(batches.flush, () => {
          // A limit that is forgotten only causes another flush.
          if (seenLimits.size >= settings.capacity) seenLimits.clear()
          for (const key of keys) seenLimits.add(key)
        })
      return Context.make(SpendCounters, counters).pipe(
        Context.add(LedgerStore, {
          ...ledger,
          // A transaction marks no limit as seen, since it may be rolled back.
          reserve: batchOutsideTransactions(sql, ledger.reserve, (request) => {
            const unseen = listUnseenLimits(request)
            return unseen.length === 0
              ? ledger.reserve(request)
              : Effect.andThen(flushUnseen(unseen), ledger.reserve(request))
          }),
          getUsage: batchOutsideTransactions(sql, ledger.getUsage, (limit) =>
            Effect.andThen(batches.flush, ledger.getUsage(limit))
          )
        })
      )
    })
  )

/**
 * Bypasses the batches inside a transaction. Its own writes must roll back with it, and waiting records must
 * not. Waiting for a batch would deadlock on SQLite, where the batch needs the connection the transaction holds.
 */
const batchOutsideTransactions =
  <Args extends ReadonlyArray<unknown>, A, E>(
    { transactionService }: SqlClient.SqlClient,
    direct: (...args: Args) => Effect.Effect<A, E>,
    batched: (...args: Args) => Effect.Effect<A, E>
  ) =>
  (...args: Args): Effect.Effect<A, E> =>
    Effect.flatMap(Effect.serviceOption(transactionService), (transaction) =>
      Option.isSome(transaction) ? direct(...args) : batched(...args)
    )

const limitTopics: ReadonlyArray<ChangeTopic> = ["guardrails", "keys", "workspaces"]

/** Takes one at once, and drops it if too many wait. No transaction records or lists any. */
const batchedFailedRequests = (settings: BatchSettings) =>
  Layer.effect(
    FailedRequestStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* FailedRequestStore
      const write = writeFailedRequests(sql)
      let recorded = 0
      const batches = yield* makeBatchWriter<FailedRequest>({
        ...settings,
        name: "failed requests",
        merge: (_, failed) => failed,
        write: (failures, id) => writeOnce(sql, id, write(failures)),
        describe: ({ requestId, status }) => ({ request_id: requestId, status })
      })
      return {
        record: (failed) => {
          // The effect that `offer` returns waits for room; requests do not wait for these records.
          void batches.offer([[String((recorded += 1)), failed]])
          return Effect.void
        },
        list: (filter, limit) => Effect.andThen(batches.flush, store.list(filter, limit))
      }
    })
  )

/** Replaces the stores it is provided with. */
export const batchedStores = (settings: BatchSettings) =>
  Layer.mergeAll(
    batchedFailedRequests(settings),
    batchedGenerations(settings),
    batchedSpend(settings)
  )
