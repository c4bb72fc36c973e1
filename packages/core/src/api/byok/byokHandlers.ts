/** Handlers of the credential operations. */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import { Credentials } from "../../tenants/byok/Credentials.ts"
import type { ByokApi } from "./ByokApi.ts"
import { toPageResponse } from "../contract/envelopes.ts"
import { toOffsetRequest } from "../contract/pageQueries.ts"
import type { Handlers } from "../operation/Handler.ts"
import { resourceHandlers } from "../operation/resourceHandlers.ts"

export const byokHandlers = Effect.gen(function* () {
  const credentials = yield* Credentials

  return {
    ...resourceHandlers("id", credentials, identity),
    listStates: ({ query }, { caller }) =>
      Effect.map(credentials.listStates(caller, query, toOffsetRequest(query)), (page) =>
        toPageResponse(page)
      ),
    reorder: ({ payload }, { caller }) =>
      Effect.as(credentials.reorder(caller, payload.ids), { data: payload })
  } satisfies Handlers<typeof ByokApi>
})
