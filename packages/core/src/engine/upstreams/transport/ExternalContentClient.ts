/** Fetches content that an upstream stores at another origin. A port. */
import * as Context from "effect/Context"
import type * as HttpClient from "effect/http/HttpClient"

/**
 * URLs in an upstream's answers are untrusted and could lead into the host's own network (SSRF). The client must check
 * every address it connects to; it receives neither keys nor headers of the upstream. Default undefined: such content
 * is rejected.
 */
export const ExternalContentClient: Context.Reference<HttpClient.HttpClient | undefined> =
  Context.Reference<HttpClient.HttpClient | undefined>(
    "@signalbox/core/engine/upstreams/transport/ExternalContentClient",
    { defaultValue: () => undefined }
  )
