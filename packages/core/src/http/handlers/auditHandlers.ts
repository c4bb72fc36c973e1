/** Handlers of the audit log. */
import * as Effect from "effect/Effect"
import { AuditLog } from "../../observability/AuditLog.ts"
import { type AuditApi, toldEntry } from "../api/AuditApi.ts"
import type { Handlers } from "../Asked.ts"
import { jsonAnswer } from "../jsonAnswer.ts"
import { managed } from "../managed.ts"
import { readParameters } from "../Parameters.ts"
import { readPage } from "../readPage.ts"

export const auditHandlers = Effect.gen(function* () {
  const log = yield* AuditLog
  return {
    list: managed(({ caller, query }) =>
      Effect.flatMap(Effect.fromResult(readParameters(query, readPage)), (page) =>
        Effect.map(log.list(caller.account, page), ({ rows, total }) =>
          jsonAnswer({ data: rows.map(toldEntry), total_count: total })
        )
      )
    )
  } satisfies Handlers<typeof AuditApi>
})
