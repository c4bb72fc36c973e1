/** An HTTP client for addresses that callers choose; it reaches public addresses only. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"

/** The name resolves to a private or reserved address. */
export class NonPublicAddress extends Data.TaggedError("NonPublicAddress") {}

/** The name does not resolve, or the lookup failed. */
export class HostUnresolved extends Data.TaggedError("HostUnresolved") {}

/**
 * For each request it resolves the name, checks every address with `resolvePublicAddresses`, connects to
 * a checked address only, follows no redirect, and keeps no connection for the next request.
 * A refused connection fails with a cause of `NonPublicAddress` or `HostUnresolved`.
 */
export class OutboundHttp extends Context.Service<OutboundHttp, HttpClient.HttpClient>()(
  "@signalbox/core/engine/outbound/OutboundHttp"
) {
  /** For platforms that cannot pin the address of a connection: it reaches nothing. */
  static readonly layerNone = Layer.suspend(() => Layer.succeed(OutboundHttp, noOutboundHttp))
}

/** Reaches nothing. */
export const noOutboundHttp = HttpClient.make((request) =>
  Effect.fail(
    new HttpClientError.HttpClientError({
      reason: new HttpClientError.TransportError({ request, cause: new NonPublicAddress() })
    })
  )
)
