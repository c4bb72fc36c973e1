/** A searchable catalog with its health and its usage, in memory. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { Catalog } from "../../../src/engine/catalog/Catalog.ts"
import type { ModelConfig } from "../../../src/engine/catalog/model/Model.ts"
import { Health } from "../../../src/engine/health/Health.ts"
import { ModelUsage } from "../../../src/engine/health/ModelUsage.ts"
import { Listing } from "../../../src/domains/listing/Listing.ts"
import { Routing } from "../../../src/routing/Routing.ts"
import { makeUpstreams } from "./referenceCatalog.ts"

const noNetwork = Layer.succeed(
  HttpClient.HttpClient,
  HttpClient.make(() => Effect.die("no network"))
)

export const makeListing = (models: ReadonlyArray<ModelConfig>) =>
  Listing.layer.pipe(
    Layer.provideMerge([
      Catalog.layer({ upstreams: makeUpstreams(models), models }).pipe(Layer.provide(noNetwork)),
      Health.layer,
      ModelUsage.layer,
      // The tests use no caller restrictions.
      Layer.mock(Routing, { end: () => undefined })
    ])
  )
