/** Everything a service is built of, in the memory of a test. */
import {
  layerParts,
  type Options,
  OutboundHttp,
  type Parts,
  type Platform
} from "@signalbox/core/adapter"
import * as Context from "effect/Context"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"

/**
 * Provides whatever the layer of a service requires, on stores in memory: a service is built alone in one line. Nothing
 * happens unasked, so the test says which worker runs. Options are those of the service; default: no upstreams, no
 * models, and a key to seal with. Each call keeps apart what it keeps.
 *
 * ```ts
 * const vaults = Vaults.layer.pipe(Layer.provide(memoryServices()))
 * const videos = Layer.merge(Videos.layer, layerVideoWorker).pipe(Layer.provide(memoryServices({ upstreams, models })))
 * ```
 */
export const makeMemoryServices = (options: Partial<Options> = {}): Layer.Layer<Parts | Platform> =>
  Layer.effectContext(
    Effect.flatMap(Effect.scope, (scope) =>
      Effect.map(
        // With a memory of its own: the layer under test, which is among the parts, is built anew.
        Layer.buildWithMemoMap(
          layerParts({ upstreams: [], models: [], sealing, ...options }).pipe(
            Layer.orDie,
            Layer.provideMerge(platform)
          ),
          Layer.makeMemoMapUnsafe(),
          scope
        ),
        Context.omit(Layer.CurrentMemoMap)
      )
    )
  )

const platform = Layer.mergeAll(
  Digest.layerWebCrypto,
  FetchHttpClient.layer,
  OutboundHttp.layerNone
)

const sealing = { current: "test", keys: { test: "sealing keys of tests have 32 letters" } }
