/** Handlers of the operations of `resourceEndpoints`. */
import * as Effect from "effect/Effect"
import type { OffsetRequest } from "../../values/pages/OffsetPage.ts"
import type { OwnedResource } from "../../values/OwnedResource.ts"
import { deletedResponse, toPageResponse } from "../contract/envelopes.ts"
import { toOffsetRequest } from "../contract/pageQueries.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import type { RequestContext } from "./RequestContext.ts"

/** The input of an operation on one resource. */
export interface ItemInput<Id extends string> {
  readonly params: Readonly<Record<Id, string>>
}

/** `id` is the parameter that identifies a resource. */
export const resourceHandlers = <
  const Id extends string,
  Row,
  Data,
  New,
  Patch,
  Filter,
  Created extends Row,
  Removal
>(
  id: Id,
  service: OwnedResource<Row, New, Patch, Filter, Created, Removal>,
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
