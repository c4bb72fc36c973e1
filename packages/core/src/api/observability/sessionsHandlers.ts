/** Handlers of the operations on sessions. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { GenerationStore } from "../../engine/observability/generations/GenerationStore.ts"
import type { SessionSummary } from "../../engine/observability/generations/SessionSummary.ts"
import { bucketMillis } from "../../engine/observability/rollups/Resolution.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { encodeSessionCursor, parseSessionCursor } from "../contract/pageQueries.ts"
import { toMillis } from "../contract/queryParameters.ts"
import type { Handlers } from "../operation/Handler.ts"
import { checkSortedTime } from "./checkSortedTime.ts"
import type { SessionResponse, SessionsApi } from "./SessionsApi.ts"

export const sessionsHandlers = Effect.gen(function* () {
  const store = yield* GenerationStore
  return {
    list: Effect.fnUntraced(function* ({ query }, { caller }) {
      const { session_id: session } = query
      const end = toMillis(query.to) ?? (yield* Clock.currentTimeMillis)
      const from = toMillis(query.from) ?? (session === undefined ? end - bucketMillis.day : 0)
      // An index finds the requests of one session.
      if (session === undefined) {
        yield* checkSortedTime(from, end, "a list of sessions, which sums up")
      }
      const filter = omitUndefined({
        session,
        to: toMillis(query.to),
        workspace: query.workspace_id,
        key: query.key_hash,
        user: query.user,
        externalUser: query.external_user,
        model: query.model
      })
      const after = parseSessionCursor(query.starting_after ?? "")
      const { next, rows } = yield* store.listSessions(
        { account: caller.account, from, ...filter },
        { limit: query.limit, ...omitUndefined({ after }) }
      )
      return {
        data: rows.map(toSessionResponse),
        has_more: next !== undefined,
        ...(next === undefined ? undefined : { next_cursor: encodeSessionCursor(next) })
      }
    })
  } satisfies Handlers<typeof SessionsApi>
})

const toSessionResponse = ({
  cost,
  externalUsers,
  failed,
  firstAt,
  id,
  lastAt,
  models,
  requests,
  tokens,
  users,
  workspace
}: SessionSummary): typeof SessionResponse.Type => ({
  id,
  workspace_id: workspace,
  first_request_at: new Date(firstAt).toISOString(),
  last_request_at: new Date(lastAt).toISOString(),
  requests,
  failed_requests: failed,
  cost: NanoUsd.toUsdNumber(cost),
  tokens,
  models: models.names,
  model_count: models.count,
  users: users.names,
  user_count: users.count,
  external_users: externalUsers.names,
  external_user_count: externalUsers.count
})
