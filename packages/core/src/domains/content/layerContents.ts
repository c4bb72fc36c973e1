/** Reads and reseals kept prompts and answers. Loaded when the first is read. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import { resealAll } from "../../engine/secrets/resealAll.ts"
import { Sealer } from "../../engine/secrets/Sealer.ts"
import { canManageAccount, toResourceOwner } from "../../tenants/auth/permissions.ts"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import { isOwn } from "../calibration/Labeler.ts"
import { Contents, makeFlush } from "./Contents.ts"
import { ContentStore } from "./ContentStore.ts"
import { ContentDocument, type KeptContent, toSealContext } from "./KeptContent.ts"

export const layerContents = Layer.effect(
  Contents,
  Effect.gen(function* () {
    const flush = yield* makeFlush
    const generations = yield* Generations
    const sealer = yield* Sealer
    const store = yield* ContentStore

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
        const missing = new ResourceNotFound({ resource: "kept content", id })
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

const decodeDocument = Schema.decodeUnknownSync(Schema.fromJsonString(ContentDocument))
