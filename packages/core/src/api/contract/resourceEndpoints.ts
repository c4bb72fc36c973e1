/** The operations that list, create, get, update and delete resources of an account. */
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { dataEnvelope, DeletedResponse, pageEnvelope } from "./envelopes.ts"
import {
  authenticatedErrors,
  Authentication,
  BadRequest,
  PayloadTooLarge,
  resourceErrors
} from "./ErrorEnvelope.ts"
import { RequiredCaller } from "./operationAnnotations.ts"
import { workspacePageQuery } from "./pageQueries.ts"

type Summaries = Readonly<Record<"list" | "create" | "get" | "update" | "remove", string>>

interface ResourceContract<Path, Id, Item, Query, New, Patch, Created> {
  /** The path of the list. */
  readonly path: Path
  /** The name of the parameter that identifies a resource. */
  readonly id: Id
  readonly item: Item
  /** The parameters of the list, with those of its pages. */
  readonly query: Query
  readonly create: New
  readonly update: Patch
  /** What `create` returns. */
  readonly created: Created
  readonly summaries: Summaries
}

export const resourceEndpoints = <
  const Path extends `/${string}`,
  const Id extends string,
  Item extends Schema.Top,
  Query extends Schema.Struct.Fields,
  New extends Schema.Top,
  Patch extends Schema.Top,
  Created extends Schema.Top
>(
  resource: ResourceContract<Path, Id, Item, Query, New, Patch, Created>
) => {
  const { item, path, summaries } = resource
  const itemPath = `${path}/:${resource.id}` as const
  const params = Record.singleton(resource.id, Schema.String)
  return {
    list: HttpApiEndpoint.get("list", path, {
      query: resource.query,
      success: pageEnvelope(item),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(OpenApi.Summary, summaries.list),
    create: HttpApiEndpoint.post("create", path, {
      payload: resource.create,
      success: resource.created.annotate({ httpApiStatus: 201 }),
      error: [...authenticatedErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, summaries.create),
    get: HttpApiEndpoint.get("get", itemPath, {
      params,
      success: dataEnvelope(item),
      error: resourceErrors
    }).annotate(OpenApi.Summary, summaries.get),
    update: HttpApiEndpoint.patch("update", itemPath, {
      params,
      payload: resource.update,
      success: dataEnvelope(item),
      error: [...resourceErrors, BadRequest, PayloadTooLarge]
    }).annotate(OpenApi.Summary, summaries.update),
    remove: HttpApiEndpoint.delete("delete", itemPath, {
      params,
      success: DeletedResponse,
      error: resourceErrors
    }).annotate(OpenApi.Summary, summaries.remove)
  }
}

interface GroupContract<Path, Item, New, Patch> extends Pick<
  ResourceContract<Path, "id", Item, never, New, Patch, never>,
  "create" | "item" | "path" | "summaries" | "update"
> {
  /** What the reference calls the operations, such as `Saved views`. */
  readonly title: string
}

/** The operations on a resource of workspaces that operators manage, as a group; `resourceOperations` answers them. */
export const resourceGroup = <
  const Name extends string,
  const Path extends `/${string}`,
  Item extends Schema.Top,
  New extends Schema.Top,
  Patch extends Schema.Top
>(
  name: Name,
  { title, ...resource }: GroupContract<Path, Item, New, Patch>
) => {
  const { create, get, list, remove, update } = resourceEndpoints({
    ...resource,
    id: "id",
    query: workspacePageQuery,
    created: dataEnvelope(resource.item)
  })
  return HttpApiGroup.make(name)
    .add(list, create, get, update, remove)
    .middleware(Authentication)
    .annotate(RequiredCaller, "management")
    .annotate(OpenApi.Title, title)
}

/** The summaries of resources of workspaces, by their nouns, such as `a guardrail` and `guardrails`. */
export const summarize = (one: string, many: string): Summaries => ({
  list: `List the ${many} of a workspace.`,
  create: `Create ${one}.`,
  get: `Get ${one} by id.`,
  update: `Update ${one}. Omitted fields keep their values.`,
  remove: `Delete ${one}.`
})
