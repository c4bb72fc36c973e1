/** Handlers of the limit operations. */
import * as Effect from "effect/Effect"
import { toCursorPageResponse } from "../contract/envelopes.ts"
import { toCursorRequest } from "../contract/pageQueries.ts"
import type { Handlers } from "../operation/Handler.ts"
import { makeLimitPages } from "../../routing/restrictions/makeLimitPages.ts"
import { type LimitsApi, toLimitResponse } from "./LimitsApi.ts"

export const limitsHandlers = Effect.gen(function* () {
  const listLimits = yield* makeLimitPages
  return {
    list: ({ query }, { caller }) =>
      Effect.map(
        listLimits(caller.account, query.holder ?? "workspace", toCursorRequest(query)),
        (page) => toCursorPageResponse(page, toLimitResponse)
      )
  } satisfies Handlers<typeof LimitsApi>
})
