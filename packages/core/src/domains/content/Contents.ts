/** Kept prompts and answers: reading them, and deleting them with what they belong to. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Pipeline } from "../../engine/observability/broadcast/Pipeline.ts"
import type { Generation } from "../../engine/observability/generations/Generation.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import { resealAll } from "../../engine/secrets/resealAll.ts"
import { Sealer } from "../../engine/secrets/Sealer.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { ApiKeys } from "../../tenants/auth/keys/ApiKeys.ts"
import { canManageAccount, toResourceOwner } from "../../tenants/auth/permissions.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import { isOwn } from "../calibration/Labeler.ts"
import { type ContentFilter, ContentStore } from "./ContentStore.ts"
import { ContentDocument, contentSinkName, type KeptContent, toSealContext } from "./KeptContent.ts"

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
  static readonly layer = Layer.effect(
    Contents,
    Effect.gen(function* () {
      const generations = yield* Generations
      const keys = yield* ApiKeys
      const pipeline = yield* Pipeline
      const sealer = yield* Sealer
      const store = yield* ContentStore
      const workspaces = yield* Workspaces

      const flush = Effect.suspend(() =>
        Effect.andThen(generations.flush(), pipeline.flush(contentSinkName))
      )

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

      /** Undefined when no key opens it, which is logged. */
      const open = (content: KeptContent): Effect.Effect<ContentDocument | undefined> =>
        sealer.unseal(content.sealed, toSealContext(content)).pipe(
          Effect.map((text) => decodeDocument(Redacted.value(text))),
          Effect.catchTag("UnsealFailed", ({ keyId }) =>
            Effect.as(
              Effect.logError(`the content of ${content.id} cannot be unsealed with key ${keyId}`),
              undefined
            )
          )
        )

      const list = Effect.fnUntraced(function* (
        account: AccountId,
        ids: ReadonlyArray<GenerationId>
      ) {
        yield* flush
        const documents = new Map<GenerationId, ContentDocument>()
        const found = yield* store.list(account, ids, yield* Clock.currentTimeMillis)
        for (const content of found) {
          const document = yield* open(content)
          if (document !== undefined) documents.set(content.id, document)
        }
        return documents
      })

      return {
        get: Effect.fnUntraced(function* (caller, id) {
          const missing = new ResourceNotFound({ resource: "kept content of a generation", id })
          const generation = yield* Effect.mapError(
            generations.find(toResourceOwner(caller), id),
            () => missing
          )
          if (!canManageAccount(caller) && !isOwn(caller, generation)) return yield* missing
          const documents = yield* list(generation.account, [generation.id])
          const document = documents.get(generation.id)
          return document === undefined ? yield* missing : { generation, document }
        }),
        list,
        flush,
        reseal: resealAll({
          sealer,
          page: store.listToReseal,
          reseal: Effect.fnUntraced(function* (content: KeptContent) {
            const context = toSealContext(content)
            const text = yield* sealer.unseal(content.sealed, context)
            return (yield* store.reseal(content, yield* sealer.seal(text, context))) ? 1 : 0
          }),
          describeRow: ({ id }) => `the content of ${id}`
        })
      }
    })
  )
}

const decodeDocument = Schema.decodeUnknownSync(Schema.fromJsonString(ContentDocument))
