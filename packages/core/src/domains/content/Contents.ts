/** Kept prompts and answers: reading them, and deleting them with what they belong to. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Pipeline } from "../../engine/observability/broadcast/Pipeline.ts"
import type { Generation } from "../../engine/observability/generations/Generation.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { ApiKeys } from "../../tenants/auth/keys/ApiKeys.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import type { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import { type ContentFilter, ContentStore } from "./ContentStore.ts"
import type { ContentDocument } from "./KeptContent.ts"

/** The label of the queue of what is to be kept in metrics. */
export const contentSinkName = "kept_content"

/** Kept prompts and answers. They go with their key and their workspace. */
export class Contents extends Context.Service<
  Contents,
  {
    /**
     * The content of a generation, by its id or that of its request, with the record. Callers that manage the account read all
     * of it, others what they sent. Not found: there is no such record, it is another caller's, or nothing is kept of it.
     */
    readonly get: (
      caller: Caller,
      id: string
    ) => Effect.Effect<
      { readonly generation: Generation; readonly document: ContentDocument },
      ResourceNotFound
    >
    /** The content of those of the generations of which any is kept. */
    readonly list: (
      account: AccountId,
      ids: ReadonlyArray<GenerationId>
    ) => Effect.Effect<ReadonlyMap<GenerationId, ContentDocument>>
    /** Waits until this process has stored what it is to keep of requests that have ended. */
    readonly flush: Effect.Effect<void>
    /** Seals all content that is under an older key under the current one; returns the count. */
    readonly reseal: Effect.Effect<number>
  }
>()("@signalbox/core/domains/content/Contents") {
  static readonly layer = Layer.suspend(() =>
    Layer.merge(
      layerOnDemand(
        Contents,
        { get: "call", list: "call", flush: "effect", reseal: "effect" },
        importNamed(() => import("./layerContents.ts"), "layerContents")
      ),
      layerRemoval
    )
  )
}

/** Makes the effect that waits until what is to be kept is stored. */
export const makeFlush = Effect.gen(function* () {
  const generations = yield* Generations
  const pipeline = yield* Pipeline
  return Effect.suspend(() => Effect.andThen(generations.flush(), pipeline.flush(contentSinkName)))
})

/** Deletes content with what it belongs to. */
const layerRemoval = Layer.effectDiscard(
  Effect.gen(function* () {
    const flush = yield* makeFlush
    const keys = yield* ApiKeys
    const store = yield* ContentStore
    const workspaces = yield* Workspaces

    /** Deletes what was still on its way when the rest was deleted. */
    const removeLate = (filters: ReadonlyArray<ContentFilter>): Effect.Effect<void> =>
      Effect.andThen(flush, Effect.forEach(filters, store.remove, { discard: true }))

    yield* workspaces.onWorkspaceDelete(
      Effect.fnUntraced(function* ({ account }, workspace) {
        yield* store.remove({ account, workspace })
        return removeLate([{ account, workspace }])
      })
    )
    yield* keys.onRemove(
      Effect.fnUntraced(function* ({ account }, hashes) {
        const filters = hashes.map((key) => ({ account, key }))
        for (const filter of filters) yield* store.remove(filter)
        return removeLate(filters)
      })
    )
  })
)
