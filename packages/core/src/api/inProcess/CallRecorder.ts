/** Records how a call in process was routed. */
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { RoutingMetadata } from "../../routing/RoutingMetadata.ts"
import type { CacheReport } from "../../routing/cache/AnswerCaching.ts"
import { type CacheOption, toCacheWish } from "../../routing/cache/CacheWish.ts"
import { RoutingMetadataRecorder } from "../operation/RoutingMetadataRecorder.ts"

/** How a call was routed so far. */
export interface RouteReport {
  /** The id of the generation record, which is written for every outcome; absent: this call has no record. */
  readonly generationId?: string
  /**
   * The plan, the attempts, and the reasons for both: the `service_metadata` of the HTTP API. Absent: the call was refused
   * before it was planned, or its answer comes from the cache.
   */
  readonly metadata?: RoutingMetadata
  /** Fields of the request that have no effect: the header `X-Signalbox-Ignored` of the HTTP API. Absent: none. */
  readonly ignored?: ReadonlyArray<string>
  /** What the cache of responses did: the headers `X-OpenRouter-Cache-*` of the HTTP API. Absent: the call does not use it. */
  readonly cache?: CacheReport
}

export class CallRecorder extends RoutingMetadataRecorder {
  #generationId: GenerationId | undefined

  constructor(cache?: CacheOption) {
    super({ "x-signalbox-metadata": "enabled" })
    if (cache !== undefined) this.cache = toCacheWish(cache)
  }

  override onRecordId(id: GenerationId): void {
    super.onRecordId(id)
    this.#generationId = id
  }

  toReport(): RouteReport {
    return omitUndefined({
      generationId: this.#generationId,
      metadata: this.toMetadata()?.service_metadata,
      ignored: this.listIgnored(),
      cache: this.cached
    })
  }
}

/** Reports to a call in process how it was routed. */
export class RouteReporter extends CallRecorder {
  readonly #onRoute: (report: RouteReport) => void

  constructor(onRoute: (report: RouteReport) => void, cache?: CacheOption) {
    super(cache)
    this.#onRoute = onRoute
  }

  report(): void {
    this.#onRoute(this.toReport())
  }
}
