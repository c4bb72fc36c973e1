/** Handlers of the limit operations. */
import * as Effect from "effect/Effect"
import { toCursorPageResponse } from "../../http/contract/envelopes.ts"
import { toCursorRequest } from "../../http/contract/pageQueries.ts"
import type { OperationHandlers } from "../../http/operation/OperationHandler.ts"
import { makeLimitPages } from "../restrictions/makeLimitPages.ts"
import { type LimitsApi, toLimitResponse } from "./LimitsApi.ts"

export const limitsHandlers = Effect.gen(function* () {
  const listLimits = yield* makeLimitPages
  return {
    list: ({ query }, { caller }) =>
      Effect.map(
        listLimits(caller.account, query.holder ?? "workspace", toCursorRequest(query)),
        (page) => toCursorPageResponse(page, toLimitResponse)
      )
  } satisfies OperationHandlers<typeof LimitsApi>
})
