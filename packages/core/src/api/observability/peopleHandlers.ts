/** Handlers of the operations on persons. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Contents } from "../../domains/content/Contents.ts"
import { makePersonEraser } from "../../domains/people/makePersonEraser.ts"
import { makePersonReader } from "../../domains/people/makePersonReader.ts"
import type { Person } from "../../domains/people/PersonStore.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { encodeGenerationCursor, parseGenerationCursor } from "../contract/pageQueries.ts"
import { toAuditEntryResponse } from "./AuditApi.ts"
import { toFeedbackResponse } from "./FeedbackResponse.ts"
import { toContentData } from "./GenerationContent.ts"
import { toFailedRequestResponse } from "./FailedRequestsApi.ts"
import { toGenerationRecord } from "./toGenerationRecord.ts"
import type { Handlers } from "../operation/Handler.ts"
import type { PeopleApi } from "./PeopleApi.ts"

export const peopleHandlers = Effect.gen(function* () {
  const contents = yield* Contents
  const erase = yield* makePersonEraser
  const { listRecords, read } = yield* makePersonReader

  return {
    export: Effect.fnUntraced(function* ({ payload }, { caller }) {
      const person = yield* parsePerson(caller.account, payload)
      const { external_user = null, limit = 1_000, starting_after = "", user = null } = payload
      const after = parseGenerationCursor(starting_after)
      if (starting_after !== "" && after === undefined) {
        return yield* new InvalidRequest({
          path: ["starting_after"],
          problem: "must be the next_cursor of a page"
        })
      }
      const known = after === undefined ? toKnown(yield* read(person)) : nothingKnown
      const { next, rows } = yield* listRecords(person, { limit, ...omitUndefined({ after }) })
      const documents = yield* contents.list(
        caller.account,
        rows.map(({ id }) => id)
      )
      return {
        data: {
          exported_at: new Date(yield* Clock.currentTimeMillis).toISOString(),
          user,
          external_user,
          ...known,
          records: rows.map(toGenerationRecord),
          contents: rows.flatMap((generation) => {
            const document = documents.get(generation.id)
            return document === undefined
              ? []
              : [{ generation_id: generation.id, ...toContentData(generation, document) }]
          }),
          next_cursor: next === undefined ? null : encodeGenerationCursor(next)
        }
      }
    }),
    erase: Effect.fnUntraced(function* ({ payload }, { caller }) {
      const erasure = yield* erase(caller, yield* parsePerson(caller.account, payload))
      return {
        data: {
          pseudonym: erasure.pseudonym ?? null,
          keys_revoked: erasure.keysRevoked,
          memberships_removed: erasure.membershipsRemoved,
          rows_changed: erasure.rowsChanged
        }
      }
    })
  } satisfies Handlers<typeof PeopleApi>
})

const parsePerson = (
  account: AccountId,
  { external_user, user }: { readonly external_user?: string; readonly user?: string }
): Effect.Effect<Person, InvalidRequest> => {
  if (user !== undefined && external_user === undefined) {
    return Effect.succeed({ account, kind: "user", name: user })
  }
  return external_user !== undefined && user === undefined
    ? Effect.succeed({ account, kind: "external_user", name: external_user })
    : Effect.fail(
        new InvalidRequest({ path: ["user"], problem: "give either user or external_user" })
      )
}

type Known = Effect.Success<ReturnType<Effect.Success<typeof makePersonReader>["read"]>>

const toKnown = ({ changes, failures, feedback, keys, memberships, spend, videos }: Known) => ({
  keys: keys.map(({ created_at, disabled, hash, label, name, workspace }) => ({
    hash,
    name,
    label,
    workspace_id: workspace,
    disabled,
    created_at
  })),
  memberships: memberships.map(({ created_at, role, workspace_id }) => ({
    workspace_id,
    role,
    created_at
  })),
  spend: {
    usage: NanoUsd.toUsdNumber(spend.usage),
    byok_usage: NanoUsd.toUsdNumber(spend.byok_usage)
  },
  changes: changes.map(toAuditEntryResponse),
  failed_requests: failures.map(toFailedRequestResponse),
  feedback: feedback.map(toFeedbackResponse),
  videos: videos.map(({ createdAt, id, model, request, status }) => ({
    id,
    created_at: new Date(createdAt).toISOString(),
    status,
    model,
    prompt: request.prompt ?? null
  }))
})

/** Only the first page has more than records. */
const nothingKnown: ReturnType<typeof toKnown> = {
  keys: [],
  memberships: [],
  spend: { usage: 0, byok_usage: 0 },
  changes: [],
  failed_requests: [],
  feedback: [],
  videos: []
}
