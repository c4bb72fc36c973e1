/** A platform without network for instances in tests. */
import { OutboundHttp } from "@signalbox/core/adapter"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"

export const offlinePlatform = Layer.mergeAll(
  Digest.layerWebCrypto,
  OutboundHttp.layerNone,
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make(() => Effect.die("no network"))
  )
)
