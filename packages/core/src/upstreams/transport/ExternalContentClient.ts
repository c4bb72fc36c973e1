/** Who fetches what an upstream keeps at an origin other than its own: a port. */
import * as Context from "effect/Context"
import type * as HttpClient from "effect/http/HttpClient"

/**
 * Addresses in an upstream's answers are written by somebody else: fetched from here, they could lead into the
 * host's own network. A client given here must check every address it connects to; it is sent neither keys
 * nor headers of the upstream. Default undefined: such content is refused.
 */
export const ExternalContentClient: Context.Reference<HttpClient.HttpClient | undefined> =
  Context.Reference<HttpClient.HttpClient | undefined>(
    "@signalbox/core/upstreams/transport/ExternalContentClient",
    {
      defaultValue: () => undefined
    }
  )
