/** Answers requests with the stored answers of earlier ones that were the same. Loaded when a request first uses it. */
import type * as Digest from "effect/crypto/Digest"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import type { ResponseCacheStore } from "../../engine/cache/ResponseCacheStore.ts"
import type { Sealer } from "../../engine/secrets/Sealer.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import { layerOnDemand } from "../../values/layerOnDemand.ts"
import type { CapabilityTraits, RouteObserver, RouteQuery, RouteResult } from "../RouteQuery.ts"
import type { Routing, RoutingError } from "../Routing.ts"
import type { AnswerCaching } from "./AnswerCaching.ts"
import type { CacheUse } from "./CacheWish.ts"

/** A request that uses the cache. */
export interface CachedRequest<A> {
  /** Of its record, which the answer is stored under. */
  readonly id: GenerationId
  readonly query: RouteQuery<CapabilityTraits>
  readonly caching: Effect.Effect<AnswerCaching<A>>
  readonly use: CacheUse
  readonly observer: RouteObserver
  /** Has a provider answer it. */
  readonly route: () => Effect.Effect<RouteResult<A>, RoutingError, HttpClient.HttpClient>
}

/** Stores and replays answers. */
export class ResponseCache extends Context.Service<
  ResponseCache,
  {
    /**
     * Answers with a stored answer whose endpoint the caller may use now, with that of a request that is under way, or by a
     * provider. Requests that are the same make one call, and each goes on by itself when that fails or takes long.
     */
    readonly answer: <A>(
      request: CachedRequest<A>
    ) => Effect.Effect<RouteResult<A>, RoutingError, HttpClient.HttpClient>
  }
>()("@signalbox/core/routing/cache/ResponseCache") {
  static readonly layer: Layer.Layer<
    ResponseCache,
    never,
    Digest.Digest | ResponseCacheStore | Routing | Sealer
  > = layerOnDemand(ResponseCache, { answer: "call" }, async () => {
    const { layerResponseCache } = await import("./layerResponseCache.ts")
    return layerResponseCache
  })
}
