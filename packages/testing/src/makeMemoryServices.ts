/** All dependencies of a service, in the memory of a test. */
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
 * Provides every dependency of a service's layer, on stores in memory. No workers run unless the test
 * provides their layers. The options are those of the service; default: no upstreams, no models, and a
 * sealing key. Each call has stores of its own.
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
        // A new memo map, because a memoized layer would share its memory with other tests.
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
