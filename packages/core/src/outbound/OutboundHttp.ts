/** Calls addresses that callers chose: an HTTP client that reaches the open internet and nothing else. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as Layer from "effect/Layer"
import { NonPublicAddress } from "./OutboundErrors.ts"

/**
 * For each request it looks the name up anew, lets `resolvePublicAddresses` judge every address found, connects to
 * one of those and to no other, follows no redirect, and leaves no connection open for the next request.
 * What was not connected to for that reason fails with a cause of `NonPublicAddress` or `HostUnresolved`.
 */
export class OutboundHttp extends Context.Service<OutboundHttp, HttpClient.HttpClient>()(
  "@signalbox/core/outbound/OutboundHttp"
) {
  /** For platforms that cannot say which address they connect to: it reaches nothing. */
  static readonly layerNone: Layer.Layer<OutboundHttp> = Layer.succeed(
    OutboundHttp,
    HttpClient.make((request) =>
      Effect.fail(
        new HttpClientError.HttpClientError({
          reason: new HttpClientError.TransportError({ request, cause: new NonPublicAddress() })
        })
      )
    )
  )
}
