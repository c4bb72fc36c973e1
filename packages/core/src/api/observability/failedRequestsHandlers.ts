/** Handlers of the operations on failed requests. */
import * as Effect from "effect/Effect"
import { isOperator } from "../../tenants/auth/permissions.ts"
import type { Handlers } from "../operation/Handler.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { FailedRequestStore } from "../../engine/observability/failures/FailedRequest.ts"
import { type FailedRequestsApi, toFailedRequestResponse } from "./FailedRequestsApi.ts"

export const failedRequestsHandlers = Effect.gen(function* () {
  const store = yield* FailedRequestStore
  return {
    list: ({ query: { limit, request_id: requestId, status } }, { caller }) => {
      const filter = {
        account: caller.account,
        includesUnauthenticated: isOperator(caller),
        ...omitUndefined({ requestId, status })
      }
      return Effect.map(store.list(filter, limit), (rows) => ({
        data: rows.map(toFailedRequestResponse)
      }))
    }
  } satisfies Handlers<typeof FailedRequestsApi>
})
