/** Handlers of the audit log. */
import * as Effect from "effect/Effect"
import { AuditLog } from "../../observability/AuditLog.ts"
import { type AuditApi, toAuditEntryResponse } from "../api/AuditApi.ts"
import { toCursorPageResponse } from "../api/envelopes.ts"
import { toCursorRequest } from "../api/pageQueries.ts"
import type { OperationHandlers } from "../OperationInput.ts"

export const auditHandlers = Effect.gen(function* () {
  const log = yield* AuditLog
  return {
    list: ({ query }, { caller }) =>
      Effect.map(log.list(caller.account, toCursorRequest(query)), (page) =>
        toCursorPageResponse(page, toAuditEntryResponse)
      )
  } satisfies OperationHandlers<typeof AuditApi>
})
