/** Handlers of the credential operations. */
import * as Effect from "effect/Effect"
import { type CredentialFilter, Credentials } from "../../tenants/byok/Credentials.ts"
import type { ByokApi } from "./ByokApi.ts"
import { deletedResponse, toPageResponse } from "../contract/envelopes.ts"
import { toOffsetRequest } from "../contract/pageQueries.ts"
import type { OperationHandlers } from "../operation/OperationHandler.ts"

export const byokHandlers = Effect.gen(function* () {
  const credentials = yield* Credentials

  return {
    list: ({ query }, { caller }) =>
      Effect.map(
        credentials.list(caller, toCredentialFilter(query), toOffsetRequest(query)),
        (page) => toPageResponse(page)
      ),
    create: ({ payload }, { caller }) =>
      Effect.map(credentials.create(caller, payload), (data) => ({ data })),
    get: ({ params }, { caller }) =>
      Effect.map(credentials.get(caller, params.id), (data) => ({ data })),
    update: ({ params, payload }, { caller }) =>
      Effect.map(credentials.update(caller, params.id, payload), (data) => ({ data })),
    delete: ({ params }, { caller }) =>
      Effect.as(credentials.remove(caller, params.id), deletedResponse),
    listStates: ({ query }, { caller }) =>
      Effect.map(
        credentials.listStates(caller, toCredentialFilter(query), toOffsetRequest(query)),
        (page) => toPageResponse(page)
      ),
    reorder: ({ payload }, { caller }) =>
      Effect.as(credentials.reorder(caller, payload.ids), { data: payload })
  } satisfies OperationHandlers<typeof ByokApi>
})

const toCredentialFilter = ({
  provider,
  workspace_id
}: {
  readonly provider?: string
  readonly workspace_id?: string
}): CredentialFilter => ({ workspace: workspace_id, provider })
