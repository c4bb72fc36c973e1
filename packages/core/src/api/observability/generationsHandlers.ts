/** Handlers of the generation operations. */
import * as Effect from "effect/Effect"
import { Contents } from "../../domains/content/Contents.ts"
import { GenerationStore } from "../../engine/observability/generations/GenerationStore.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import { parseTag } from "../../values/Tags.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { encodeGenerationCursor, parseGenerationCursor } from "../contract/cursor.ts"
import type { GenerationsApi } from "./GenerationsApi.ts"
import { toMillis } from "../contract/queryParameters.ts"
import { toResourceOwner } from "../../tenants/auth/permissions.ts"
import type { Handlers } from "../operation/Handler.ts"
import { toContentData } from "./GenerationContent.ts"
import { toGenerationRecord, toGenerationSummary } from "./toGenerationRecord.ts"
import { toGenerationResponse } from "./toGenerationResponse.ts"

export const generationsHandlers = Effect.gen(function* () {
  const contents = yield* Contents
  const generations = yield* Generations
  const store = yield* GenerationStore
  return {
    get: ({ query }, { caller }) =>
      Effect.map(generations.find(toResourceOwner(caller), query.id), (generation) => ({
        data: toGenerationResponse(generation)
      })),
    getContent: ({ query }, { caller }) =>
      Effect.map(contents.get(caller, query.id), ({ document, generation }) => ({
        data: toContentData(generation, document)
      })),
    list: ({ query }, { caller }) => {
      const { endpoint, model, operation, outcome, provider, tag = "", user } = query
      const filter = omitUndefined({
        from: toMillis(query.from),
        to: toMillis(query.to),
        workspace: query.workspace_id,
        key: query.key_hash,
        session: query.session_id,
        request: query.request_id,
        endpoint,
        model,
        operation,
        outcome,
        provider,
        user,
        externalUser: query.external_user,
        tag: parseTag(tag)
      })
      const after = parseGenerationCursor(query.starting_after ?? "")
      return Effect.map(
        store.list(
          { account: caller.account, ...filter },
          { limit: query.limit, ...omitUndefined({ after }) }
        ),
        ({ next, rows }) => ({
          data: rows.map(toGenerationSummary),
          has_more: next !== undefined,
          ...(next === undefined ? undefined : { next_cursor: encodeGenerationCursor(next) })
        })
      )
    },
    getRecord: ({ params }, { caller }) =>
      Effect.map(generations.find({ account: caller.account }, params.id), (generation) => ({
        data: toGenerationRecord(generation)
      }))
  } satisfies Handlers<typeof GenerationsApi>
})
