/** Reranks documents, at an endpoint of one model. */
import * as Context from "effect/Context"
import type { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { OneModelRoute } from "../../routing/record/makeOneModelRoute.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { ParsedRerank } from "./parseRerankRequest.ts"
import type { Ranking } from "./Ranking.ts"

/** How a rerank fails. */
export type RerankError = NotPermitted | RoutingError

/** Routes reranks, among the endpoints of one model: scores of two models cannot be compared. */
export class Reranks extends Context.Service<Reranks, OneModelRoute<ParsedRerank, Ranking>>()(
  "@signalbox/core/domains/rerank/Reranks"
) {
  static readonly layer = layerOnDemand(
    Reranks,
    { submit: "call", plan: "call" },
    importNamed(() => import("./layerReranks.ts"), "layerReranks")
  )
}
