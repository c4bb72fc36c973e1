/** Makes embeddings, at an endpoint of one model. */
import * as Context from "effect/Context"
import type { OneModelRoute } from "../../routing/record/makeOneModelRoute.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import type { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { EmbeddingList } from "./EmbeddingList.ts"
import type { ParsedEmbedding } from "./request/parseEmbeddingRequest.ts"

/** How a request for embeddings fails. */
export type EmbeddingError = NotPermitted | RoutingError

/** Routes requests for embeddings, among the endpoints of one model: vectors of two models cannot be compared. */
export class Embeddings extends Context.Service<
  Embeddings,
  OneModelRoute<ParsedEmbedding, EmbeddingList>
>()("@signalbox/core/domains/embeddings/Embeddings") {
  static readonly layer = layerOnDemand(
    Embeddings,
    { submit: "call", plan: "call" },
    importNamed(() => import("./layerEmbeddings.ts"), "layerEmbeddings")
  )
}
