/** Lists models, endpoints and providers from the configuration, health and usage, without I/O. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { ResolvedModel } from "../../engine/catalog/Configuration.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { ModelQuery } from "./ModelQuery.ts"
import type * as ProviderInfo from "./ProviderInfo.ts"
import type * as PublicEndpoint from "./PublicEndpoint.ts"
import type * as VideoModel from "./VideoModel.ts"

/** Which matches to return; without a limit, all from `offset` on. */
export interface ListingPageRequest {
  readonly offset: number
  readonly limit?: number
}

/** A page of models. */
export interface ListingPage {
  readonly models: ReadonlyArray<Model>
  /** The number of models on all pages. */
  readonly total: number
}

/** Searches, filters and sorts the catalog. */
export class Listing extends Context.Service<
  Listing,
  {
    readonly search: (query: ModelQuery, page: ListingPageRequest) => Effect.Effect<ListingPage>
    /** Only models that the restrictions of the caller allow. */
    readonly searchFor: (
      caller: Caller,
      query: ModelQuery,
      page: ListingPageRequest
    ) => Effect.Effect<ListingPage>
    /** By any of its names, including hidden models. */
    readonly getModel: (slug: string) => Effect.Effect<ResolvedModel, ModelNotListed>
    readonly getEndpoints: (slug: string) => Effect.Effect<
      {
        readonly model: Model
        readonly endpoints: ReadonlyArray<PublicEndpoint.PublicEndpoint>
      },
      ModelNotListed
    >
    /** The endpoints with zero data retention, of all models. */
    readonly listZdrEndpoints: Effect.Effect<ReadonlyArray<PublicEndpoint.PublicEndpoint>>
    readonly listProviders: Effect.Effect<ReadonlyArray<ProviderInfo.ProviderInfo>>
    readonly listVideoModels: Effect.Effect<ReadonlyArray<VideoModel.VideoModel>>
  }
>()("@signalbox/core/domains/listing/Listing") {
  static readonly layer = layerOnDemand(
    Listing,
    {
      search: "call",
      searchFor: "call",
      getModel: "call",
      getEndpoints: "call",
      listZdrEndpoints: "effect",
      listProviders: "effect",
      listVideoModels: "effect"
    },
    importNamed(() => import("./layerListing.ts"), "layerListing")
  )
}

/** No model has this name. */
export class ModelNotListed extends Data.TaggedError("ModelNotListed")<{
  readonly model: string
  /** The listed model that the caller may use with the nearest name. */
  readonly nearest?: string
}> {}
