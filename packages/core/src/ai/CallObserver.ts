/** Observes one call, for the metadata of its answer or its error. */
import type * as Schema from "effect/Schema"
import type { RouteAttempt } from "../routing/attempt/RouteAttempt.ts"
import { toExplanation } from "../routing/Explanation.ts"
import type { PlannedRoute, RouteObserver } from "../routing/RouteQuery.ts"
import { toRoutingMetadata } from "../routing/toRoutingMetadata.ts"
import type { GenerationId } from "../values/ids/GenerationId.ts"
import { toMutableJson } from "./toMutableJson.ts"

export class CallObserver implements RouteObserver {
  /** Of the record; undefined: none is written. */
  id: GenerationId | undefined
  readonly #attempts: Array<RouteAttempt> = []
  #planned: PlannedRoute | undefined

  onRecordId(id: GenerationId): void {
    this.id = id
  }

  onPlan(planned: PlannedRoute): void {
    this.#planned ??= planned
  }

  onAttempt(attempted: RouteAttempt): void {
    this.#attempts.push(attempted)
  }

  /** Undefined before planning. */
  toRouting(): { [name: string]: Schema.MutableJson } | undefined {
    if (this.#planned === undefined) return undefined
    const explanation = toExplanation(this.#planned)
    const requested = explanation.models[0] ?? ""
    return toMutableJson(toRoutingMetadata({ requested, explanation, attempts: this.#attempts }))
  }
}
