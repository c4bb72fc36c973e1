/** What the core needs of Node: an HTTP client on pooled undici connections, and SHA-256. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { SettingsShape } from "@signalbox/core"
import { Settings } from "@signalbox/core"
import type * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"

export const platform = (
  settings: Partial<SettingsShape> = {}
): Layer.Layer<Digest.Digest | HttpClient.HttpClient> =>
  Layer.mergeAll(
    NodeCrypto.layerDigest,
    Layer.unwrap(
      Effect.map(Settings, ({ connectDeadlineMillis }) =>
        NodeHttpClient.layerUndiciOptions({
          connect: { timeout: settings.connectDeadlineMillis ?? connectDeadlineMillis },
          // Longer than most providers keep a connection, so that they are the ones to close it.
          keepAliveTimeout: 30_000
        })
      )
    )
  )
