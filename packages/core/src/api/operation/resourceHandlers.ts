/** Handlers of the operations of `resourceEndpoints`. */
import * as Effect from "effect/Effect"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { OffsetPage, OffsetRequest } from "../../values/pages/OffsetPage.ts"
import { deletedResponse, toPageResponse } from "../contract/envelopes.ts"
import { toOffsetRequest } from "../contract/pageQueries.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import type { RequestContext } from "./RequestContext.ts"

/** The service of a resource; `list` and `remove` get the query of their request. */
interface ResourceService<Row, Filter, New, Patch, Removal> {
  readonly list: (
    caller: Caller,
    filter: Filter,
    page: OffsetRequest
  ) => Effect.Effect<OffsetPage<Row>, ExpectedError>
  readonly create: (caller: Caller, config: New) => Effect.Effect<Row, ExpectedError>
  readonly get: (caller: Caller, id: string) => Effect.Effect<Row, ExpectedError>
  readonly update: (caller: Caller, id: string, patch: Patch) => Effect.Effect<Row, ExpectedError>
  readonly remove: (
    caller: Caller,
    id: string,
    query: Removal
  ) => Effect.Effect<unknown, ExpectedError>
}

/** The input of an operation on one resource. */
export interface ItemInput<Id extends string> {
  readonly params: Readonly<Record<Id, string>>
}

/** `id` is the parameter that identifies a resource. */
export const resourceHandlers = <const Id extends string, Row, Data, Filter, New, Patch, Removal>(
  id: Id,
  service: ResourceService<Row, Filter, New, Patch, Removal>,
  toData: (row: Row) => Data
) => {
  const answer = (found: Effect.Effect<Row, ExpectedError>) =>
    Effect.map(found, (row) => ({ data: toData(row) }))
  return {
    list: ({ query }: { readonly query: Filter & OffsetRequest }, { caller }: RequestContext) =>
      Effect.map(service.list(caller, query, toOffsetRequest(query)), (page) =>
        toPageResponse(page, toData)
      ),
    create: ({ payload }: { readonly payload: New }, { caller }: RequestContext) =>
      answer(service.create(caller, payload)),
    get: ({ params }: ItemInput<Id>, { caller }: RequestContext) =>
      answer(service.get(caller, params[id])),
    update: (
      { params, payload }: ItemInput<Id> & { readonly payload: Patch },
      { caller }: RequestContext
    ) => answer(service.update(caller, params[id], payload)),
    delete: (
      { params, query }: ItemInput<Id> & { readonly query: Removal },
      { caller }: RequestContext
    ) => Effect.as(service.remove(caller, params[id], query), deletedResponse)
  }
}
