/** Records every generation: counts, dispatches and stores it, beside the request that it is of. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { evaluate, isSuccess } from "../../../values/eager.ts"
import { GenerationId } from "../../../values/ids/GenerationId.ts"
import { AccountId } from "../../../values/ids/Ids.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import { findStoreUnavailable } from "../../../values/errors/StoreUnavailable.ts"
import { ResourceNotFound } from "../../../values/errors/RequestErrors.ts"
import type { Generation } from "./Generation.ts"
import { GenerationStore } from "./GenerationStore.ts"
import { RollupStore } from "../rollups/RollupStore.ts"
import { logGeneration } from "../logging/logGeneration.ts"
import { Metrics } from "../metrics/Metrics.ts"
import { Pipeline } from "../broadcast/Pipeline.ts"
import type { DispatchedGeneration, IoContent } from "../broadcast/Sink.ts"
import { makeRecordQueue } from "./RecordQueue.ts"

/** The account and workspace whose records may be read. */
export interface GenerationOwner {
  readonly account: string
  /** Absent: all workspaces. */
  readonly workspace?: string
}

/** A request that has ended, whose record is made when it is read. */
export interface EndedRequest extends DispatchedGeneration {
  readonly id: GenerationId
}

/** Counts, dispatches and stores the record of every request. */
export class Generations extends Context.Service<
  Generations,
  {
    /**
     * Call it once per request, answered or not; it begins at once. Its record is made with those of the next requests, which
     * it waits for `Settings.recordDelayMillis`, or at once if the store stores before answers. Never fails, because an answer
     * matters more than its record.
     */
    readonly add: (ended: EndedRequest) => Effect.Effect<void>
    /**
     * The same without waiting for other requests: the record joins the surrounding transaction. Dies with `StoreUnavailable` if
     * the store cannot be used, so that nothing of the transaction is kept without its record.
     */
    readonly record: (generation: Generation, content: IoContent) => Effect.Effect<void>
    /**
     * Begins, when it is called, to record what has been added: what the process counts and dispatches is then complete. The
     * effect waits for the store.
     */
    readonly flush: () => Effect.Effect<void>
    /** Whether the host has an I/O log; without one, callers need not keep `content`. */
    readonly isIoLogEnabled: boolean
    /** Records of other owners are not found. */
    readonly get: (
      owner: GenerationOwner,
      id: string
    ) => Effect.Effect<Generation, ResourceNotFound>
    /** Like `get`, or the latest one by the `x-request-id` of its response. */
    readonly find: (
      owner: GenerationOwner,
      id: string
    ) => Effect.Effect<Generation, ResourceNotFound>
  }
>()("@signalbox/core/engine/observability/generations/Generations") {
  /** `logs`: whether each generation is logged. Replaces the stores it is provided with, whose reads then flush. */
  static readonly layer = ({
    logs
  }: {
    readonly logs: boolean
  }): Layer.Layer<
    Generations | GenerationStore | RollupStore,
    never,
    GenerationStore | Metrics | Pipeline | RollupStore
  > =>
    Layer.effectContext(
      Effect.gen(function* () {
        const metrics = yield* Metrics
        const store = yield* GenerationStore
        const { dispatch, isIoLogEnabled } = yield* Pipeline
        const run = Effect.runForkWith(yield* Effect.context())

        const storeAll = (generations: ReadonlyArray<Generation>): Effect.Effect<void> => {
          const storing = evaluate(() => store.record(generations))
          return isSuccess(storing)
            ? storing
            : Effect.catchCause(storing, (cause) =>
                generations.length === 1
                  ? logFailure(generations[0]?.id, cause)
                  : // One that the store rejects loses no other.
                    Effect.forEach(generations, (generation) => storeAll([generation]), {
                      concurrency: "unbounded",
                      discard: true
                    })
              )
        }

        /** Adds its record to `made`, counts and dispatches it. */
        const announce = (ended: EndedRequest, made: Array<Generation> = []): void => {
          try {
            made.push(ended.generation)
            metrics.count(ended.generation)
            dispatch(ended)
          } catch (defect) {
            run(logFailure(ended.id, Cause.die(defect)))
          }
        }

        const recordAll = (ended: ReadonlyArray<EndedRequest>): Effect.Effect<void> => {
          const generations: Array<Generation> = []
          for (const each of ended) announce(each, generations)
          return generations.length === 0 ? Effect.void : storeAll(generations)
        }
        const { flush, offer } = yield* makeRecordQueue(recordAll, store.storesBeforeAnswers)
        const stores = flushBeforeReads(flush, store, yield* RollupStore)
        const reads = Context.get(stores, GenerationStore)

        const get = Effect.fnUntraced(function* (
          { account, workspace }: GenerationOwner,
          id: string
        ) {
          const found = yield* reads.find(AccountId.make(account), GenerationId.make(id))
          return found === undefined || (workspace !== undefined && found.workspace !== workspace)
            ? yield* new ResourceNotFound({ resource: "generation", id })
            : found
        })

        return Context.add(stores, Generations, {
          isIoLogEnabled,
          add: (ended) =>
            logs
              ? Effect.andThen(logGeneration(ended.generation), () => offer(ended))
              : offer(ended),
          record: (generation, content) => {
            const recording = Effect.catchCause(store.record([generation]), (cause) =>
              findStoreUnavailable(cause) === undefined
                ? logFailure(generation.id, cause)
                : Effect.failCause(cause)
            ).pipe(
              Effect.andThen(() => {
                announce({ id: generation.id, generation, content })
                return Effect.void
              })
            )
            return logs ? Effect.andThen(logGeneration(generation), recording) : recording
          },
          flush,
          get,
          find: (owner, id) =>
            get(owner, id).pipe(
              Effect.catchTag("ResourceNotFound", (missing) => {
                const { account, workspace } = owner
                const filter = { account: AccountId.make(account), request: id }
                return Effect.flatMap(
                  reads.list({ ...filter, ...omitUndefined({ workspace }) }, { limit: 1 }),
                  ({ rows: [latest] }) =>
                    latest === undefined ? Effect.fail(missing) : Effect.succeed(latest)
                )
              })
            )
        })
      })
    )
}

const logFailure = (id: string | undefined, cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Effect.logError(`${id} could not be recorded`, cause)

/** The same stores with reads that see every request that has ended: they call `flush` and wait for it. */
const flushBeforeReads = (
  flush: () => Effect.Effect<void>,
  generations: GenerationStore["Service"],
  rollups: RollupStore["Service"]
): Context.Context<GenerationStore | RollupStore> => {
  const flushed = <A>(read: () => Effect.Effect<A>): Effect.Effect<A> =>
    Effect.suspend(() => {
      const flushing = flush()
      return isSuccess(flushing) ? read() : Effect.andThen(flushing, read)
    })
  return Context.make(GenerationStore, {
    record: (records) => generations.record(records),
    find: (account, id) => flushed(() => generations.find(account, id)),
    list: (filter, page) => flushed(() => generations.list(filter, page)),
    listSessions: (filter, page) => flushed(() => generations.listSessions(filter, page)),
    scan: (from, page) => flushed(() => generations.scan(from, page))
  }).pipe(
    Context.add(RollupStore, {
      add: (records) => rollups.add(records),
      list: (query) => flushed(() => rollups.list(query)),
      compact: () => rollups.compact(),
      purgeExpired: () => rollups.purgeExpired()
    })
  )
}
