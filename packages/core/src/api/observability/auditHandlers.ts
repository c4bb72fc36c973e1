/** Handlers of the audit log operations. */
import * as Effect from "effect/Effect"
import { AuditLog } from "../../engine/observability/audit/AuditLog.ts"
import { type AuditApi, toAuditEntryResponse } from "./AuditApi.ts"
import { toCursorPageResponse } from "../contract/envelopes.ts"
import { toCursorRequest } from "../contract/pageQueries.ts"
import type { Handlers } from "../operation/Handler.ts"

export const auditHandlers = Effect.gen(function* () {
  const log = yield* AuditLog
  return {
    list: ({ query }, { caller }) =>
      Effect.map(log.list(caller.account, toCursorRequest(query)), (page) =>
        toCursorPageResponse(page, toAuditEntryResponse)
      )
  } satisfies Handlers<typeof AuditApi>
})
