/** Records every generation: stores, counts, logs and dispatches it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { evaluate, isSuccess } from "../../../values/eager.ts"
import { GenerationId } from "../../../values/ids/GenerationId.ts"
import { AccountId } from "../../../values/ids/Ids.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import { ResourceNotFound } from "../../../values/errors/RequestErrors.ts"
import type { Broadcast } from "../broadcast/Broadcast.ts"
import type { Generation } from "./Generation.ts"
import { GenerationStore } from "./GenerationStore.ts"
import { type IoContent, IoLog } from "../broadcast/IoLog.ts"
import { logGeneration } from "../logging/logGeneration.ts"
import { Metrics } from "../metrics/Metrics.ts"
import { GenerationDispatcher } from "./GenerationDispatcher.ts"
import type { ObservabilityPreferences } from "../broadcast/ObservabilityPreferences.ts"

/** The account and workspace whose records may be read. */
export interface GenerationOwner {
  readonly account: string
  /** Absent: all workspaces. */
  readonly workspace?: string
}

/** Stores, counts and dispatches the record of every request. */
export class Generations extends Context.Service<
  Generations,
  {
    /**
     * Call it once per request, answered or not; it begins at once. Never fails, because an answer matters more than its record.
     * `content` goes only to the I/O log of the host.
     */
    readonly record: (generation: Generation, content: IoContent) => Effect.Effect<void>
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
  /** `logs`: whether each generation is logged. */
  static readonly layer = ({
    logs
  }: {
    readonly logs: boolean
  }): Layer.Layer<
    Generations,
    never,
    Broadcast | GenerationStore | IoLog | Metrics | ObservabilityPreferences
  > =>
    Layer.effect(
      Generations,
      Effect.gen(function* () {
        const { isEnabled } = yield* IoLog
        const metrics = yield* Metrics
        const store = yield* GenerationStore
        const { dispatch } = yield* GenerationDispatcher

        const storeRecord = (generation: Generation): Effect.Effect<void> => {
          const storing = evaluate(() => store.record(generation))
          return isSuccess(storing)
            ? storing
            : Effect.catchCause(storing, (cause) =>
                Effect.logError(`${generation.id} could not be recorded`, cause)
              )
        }

        const get = Effect.fnUntraced(function* (
          { account, workspace }: GenerationOwner,
          id: string
        ) {
          const found = yield* store.find(AccountId.make(account), GenerationId.make(id))
          return found === undefined || (workspace !== undefined && found.workspace !== workspace)
            ? yield* new ResourceNotFound({ resource: "generation", id })
            : found
        })

        return {
          isIoLogEnabled: isEnabled,
          record: (generation, content) => {
            metrics.count(generation)
            const dispatching = dispatch(generation, content)
            return !logs && isSuccess(dispatching)
              ? storeRecord(generation)
              : dispatching.pipe(
                  Effect.andThen(logs ? logGeneration(generation) : Effect.void),
                  Effect.andThen(Effect.suspend(() => storeRecord(generation)))
                )
          },
          get,
          find: (owner, id) =>
            get(owner, id).pipe(
              Effect.catchTag("ResourceNotFound", (missing) => {
                const { account, workspace } = owner
                const filter = { account: AccountId.make(account), request: id }
                return Effect.flatMap(
                  store.list({ ...filter, ...omitUndefined({ workspace }) }, { limit: 1 }),
                  ({ rows: [latest] }) =>
                    latest === undefined ? Effect.fail(missing) : Effect.succeed(latest)
                )
              })
            )
        }
      })
    ).pipe(Layer.provide(GenerationDispatcher.layer))
}
