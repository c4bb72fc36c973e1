/** The service of a kind of resource that belongs to workspaces, which is loaded with its first call. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { OwnedResourceRow, OwnedStore } from "../../instance/OwnedStore.ts"
import { layerOnDemand } from "../../values/layerOnDemand.ts"
import type { OwnedResource } from "../../values/OwnedResource.ts"
import type { NewResource, ResourceRules } from "./makeOwnedResource.ts"
import { buildBeforeDeletion } from "./Workspaces.ts"

/** The service of a kind of resource whose rules, with its Schemas, are loaded with its first call. */
export const layerOwnedResource = <
  Id,
  Row extends OwnedResourceRow,
  New extends NewResource,
  Patch,
  R,
  R2
>(
  service: Context.Key<Id, OwnedResource<Row, New, Patch>>,
  port: Effect.Effect<OwnedStore<Row>, never, R>,
  loadRules: () => Promise<Effect.Effect<ResourceRules<Row, New, Patch>, never, R2>>
) =>
  layerOnDemand(
    service,
    { get: "call", list: "call", create: "call", update: "call", remove: "call" },
    async () => {
      const [rules, { makeOwnedResource }] = await Promise.all([
        loadRules(),
        import("./makeOwnedResource.ts")
      ])
      return Layer.effect(
        service,
        Effect.flatMap(rules, (own) => makeOwnedResource(port, own))
      )
    },
    buildBeforeDeletion
  )
