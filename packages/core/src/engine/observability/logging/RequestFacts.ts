/** Facts about an HTTP request for its log line, collected while it is served. */
import * as Context from "effect/Context"
import type { Generation } from "../generations/Generation.ts"

export class RequestFacts {
  #generation: Generation | undefined
  #isOver = false

  /** False when there is a generation already, or the line is written. */
  add(generation: Generation): boolean {
    if (this.#isOver || this.#generation !== undefined) return false
    this.#generation = generation
    return true
  }

  /** Returns the generation; later ones are rejected. */
  end(): Generation | undefined {
    this.#isOver = true
    return this.#generation
  }
}

/** Undefined outside of HTTP requests, and when request logs are disabled. */
export const CurrentRequest: Context.Reference<RequestFacts | undefined> = Context.Reference<
  RequestFacts | undefined
>("@signalbox/core/engine/observability/logging/CurrentRequest", { defaultValue: () => undefined })

/** Whether each request is logged: `Options.log`. */
export const RequestLogEnabled: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/engine/observability/logging/RequestLogEnabled",
  { defaultValue: () => false }
)

/** The message of request lines. */
export const requestMessage = "request"
