/** Handlers of the operations on models that make images. */
import * as Effect from "effect/Effect"
import { listImageEndpoints, listImageModels } from "../../domains/images/listImageModels.ts"
import { Listing, ModelNotListed } from "../../domains/listing/Listing.ts"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { servesOperation } from "../../engine/catalog/model/servesOperation.ts"
import type { Handlers } from "../operation/Handler.ts"
import { toSlug } from "./modelsHandlers.ts"
import type { ImageModelsApi } from "./ImageModelsApi.ts"

export const imageModelsHandlers = Effect.gen(function* () {
  const catalog = yield* Catalog
  const listing = yield* Listing
  return {
    list: (_, { mount }) =>
      Effect.sync(() => ({ data: listImageModels(catalog.current(), mount) })),
    listEndpoints: ({ params }) => {
      const slug = toSlug(params)
      return Effect.flatMap(listing.getModel(slug), ({ model }) =>
        servesOperation(model, "images")
          ? Effect.succeed({
              id: model.id,
              endpoints: listImageEndpoints(model, catalog.current())
            })
          : Effect.fail(new ModelNotListed({ model: slug }))
      )
    }
  } satisfies Handlers<typeof ImageModelsApi>
})
