/** What becomes known of an HTTP request while it is served, for its line in the log. */
import * as Context from "effect/Context"
import type { Generation } from "../generations/Generation.ts"

export class RequestFacts {
  #generation: Generation | undefined
  #isOver = false

  /** False when there is no room: a second one, or the line is written. */
  add(generation: Generation): boolean {
    if (this.#isOver || this.#generation !== undefined) return false
    this.#generation = generation
    return true
  }

  /** Nothing is added any more. */
  end(): Generation | undefined {
    this.#isOver = true
    return this.#generation
  }
}

/** Undefined outside of HTTP requests, and where nobody wants lines. */
export const CurrentRequest: Context.Reference<RequestFacts | undefined> = Context.Reference<
  RequestFacts | undefined
>("@signalbox/core/observability/CurrentRequest", { defaultValue: () => undefined })

/** Whether each request is a line of the log: `Options.log`. */
export const RequestLogEnabled: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/observability/RequestLogEnabled",
  { defaultValue: () => false }
)
