/** Handlers of the audit log. */
import * as Effect from "effect/Effect"
import { AuditLog } from "../../observability/AuditLog.ts"
import { type AuditApi, toldEntry } from "../api/AuditApi.ts"
import type { Handlers } from "../Asked.ts"
import { managed } from "../managed.ts"
import { readParameters } from "../Parameters.ts"
import { readScroll } from "../readPage.ts"
import { scrolledAnswer } from "../scrolledAnswer.ts"

export const auditHandlers = Effect.gen(function* () {
  const log = yield* AuditLog
  return {
    list: managed(({ caller, query }) =>
      Effect.flatMap(Effect.fromResult(readParameters(query, readScroll)), (scroll) =>
        Effect.map(log.list(caller.account, scroll), (page) => scrolledAnswer(page, toldEntry))
      )
    )
  } satisfies Handlers<typeof AuditApi>
})
