/** Reports to a call in process how it was routed. */
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import { isObject } from "../../values/json/isObject.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import { RoutingMetadataRecorder } from "../operation/RoutingMetadataRecorder.ts"

/** How a call was routed so far. */
export interface RouteReport {
  /** The id of the generation record, which is written however the call ends; absent: none is. */
  readonly generationId?: string
  /**
   * The plan, the attempts, and the reasons for both: the `service_metadata` of the HTTP API. Absent: the call was refused
   * before it was planned.
   */
  readonly metadata?: Readonly<Record<string, unknown>>
}

export class RouteReporter extends RoutingMetadataRecorder {
  readonly #onRoute: (report: RouteReport) => void
  #generationId: GenerationId | undefined

  constructor(onRoute: (report: RouteReport) => void) {
    super({ "x-signalbox-metadata": "enabled" })
    this.#onRoute = onRoute
  }

  override onRecordId(id: GenerationId): void {
    super.onRecordId(id)
    this.#generationId = id
  }

  report(): void {
    const metadata = this.toMetadata()?.["service_metadata"]
    this.#onRoute(
      omitUndefined({
        generationId: this.#generationId,
        metadata: isObject(metadata) ? metadata : undefined
      })
    )
  }
}
