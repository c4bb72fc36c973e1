/** Makes embeddings in process, with the checks of the HTTP API. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CustomerRefused } from "../../tenants/auth/AuthErrors.ts"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"
import { Callers, resolveCallerWith } from "../../tenants/auth/Callers.ts"
import { parseInProcess } from "../../routing/parseRequest.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import { Settings } from "../../instance/Settings.ts"
import type { VectorEncoding } from "../../engine/upstreams/EmbeddingCapability.ts"
import type { InvalidRequest, RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import type { EmbeddingList } from "./EmbeddingList.ts"
import { type EmbeddingError, Embeddings } from "./Embeddings.ts"
import type { EmbeddingRequest } from "./request/EmbeddingRequest.ts"
import { decodeEmbeddingRequest } from "./request/parseEmbeddingRequest.ts"
import * as Step from "../../values/Step.ts"

/** How `embed` fails. */
export type EmbedError = CustomerRefused | EmbeddingError | InvalidRequest | RequestTooLarge

/** Makes a vector of each input of a request, and begins when it is called. */
export const makeEmbed = (services: Context.Context<Callers | Embeddings>) => {
  const callers = Context.get(services, Callers)
  const embeddings = Context.get(services, Embeddings)
  const settings = Context.get(services, Settings)
  return <const Encoding extends VectorEncoding = "float">(
    request: EmbeddingRequest<Encoding>,
    caller?: CallerConfig,
    observer?: RouteObserver
  ): Effect.Effect<EmbeddingList<Encoding>, EmbedError> =>
    Step.flatMap(resolveCallerWith(callers, caller), (resolved) =>
      Step.flatMap(
        parseInProcess(request, settings, decodeEmbeddingRequest),
        // Vectors come in the encoding of the request.
        (parsed) =>
          embeddings.submit(resolved, parsed, observer) as Effect.Effect<
            EmbeddingList<Encoding>,
            EmbeddingError
          >
      )
    )
}
