/** Handlers of the audit log. */
import * as Effect from "effect/Effect"
import { AuditLog } from "../../observability/AuditLog.ts"
import { type AuditApi, toAuditEntryResponse } from "../api/AuditApi.ts"
import type { Handlers } from "../RequestContext.ts"
import { requireManagementKey } from "../requireManagementKey.ts"
import { parseParameters } from "../QueryParameters.ts"
import { readCursorRequest } from "../readPage.ts"
import { cursorPageResponse } from "../cursorPageResponse.ts"

export const auditHandlers = Effect.gen(function* () {
  const log = yield* AuditLog
  return {
    list: requireManagementKey(({ caller, query }) =>
      Effect.flatMap(Effect.fromResult(parseParameters(query, readCursorRequest)), (scroll) =>
        Effect.map(log.list(caller.account, scroll), (page) =>
          cursorPageResponse(page, toAuditEntryResponse)
        )
      )
    )
  } satisfies Handlers<typeof AuditApi>
})
