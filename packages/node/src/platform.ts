/** What the core needs of Node: HTTP clients for those it was given and for those callers name, and SHA-256. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { SettingsShape } from "@signalbox/core/adapter"
import { type OutboundHttp, Settings } from "@signalbox/core/adapter"
import type * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"

/** For Effect hosts: hand over the `settings` of the box, of which two concern connections; `make` does. */
export const platform = (
  settings: Partial<SettingsShape> = {}
): Layer.Layer<Digest.Digest | HttpClient.HttpClient | OutboundHttp> =>
  Layer.mergeAll(
    NodeCrypto.layerDigest,
    Layer.unwrap(
      Effect.gen(function* () {
        const { allowPrivateNetworks, connectDeadlineMillis } = {
          ...(yield* Settings),
          ...settings
        }
        // Undici is loaded with the first box: who makes none does without.
        const { outboundHttp } = yield* Effect.promise(() => import("./outboundHttp.ts"))
        return Layer.merge(
          NodeHttpClient.layerUndiciOptions({
            connect: { timeout: connectDeadlineMillis },
            // Longer than most providers keep a connection, so that they are the ones to close it.
            keepAliveTimeout: 30_000
          }),
          outboundHttp({ allowPrivateNetworks, connectDeadlineMillis })
        )
      })
    )
  )
