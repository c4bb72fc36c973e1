/** The client that requests call providers with. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"

/**
 * Kept by the instance under a name of its own, so that its context does not replace the client of a host's effects. The
 * context of a request has it as `HttpClient` from the start, which spares each request to add it.
 */
export const RequestClient: Context.Reference<HttpClient.HttpClient | undefined> =
  Context.Reference<HttpClient.HttpClient | undefined>(
    "@signalbox/core/engine/upstreams/transport/RequestClient",
    { defaultValue: () => undefined }
  )

export const layerRequestClient: Layer.Layer<never, never, HttpClient.HttpClient> = Layer.effect(
  RequestClient,
  Effect.service(HttpClient.HttpClient)
)
