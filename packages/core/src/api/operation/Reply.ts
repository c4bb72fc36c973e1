/** Results of an operation that are not just a body with its first declared status. */
import type * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A success with a status other than the first that its operation declares. */
export class Reply<out Body> {
  readonly status: number
  readonly body: Body

  constructor(status: number, body: Body) {
    this.status = status
    this.body = body
  }
}

export const reply = <Body>(status: number, body: Body): Reply<Body> => new Reply(status, body)

/** A streamed result: a call in process gets `value`, an HTTP client the response. */
export class StreamedReply<out Value> {
  readonly value: Value
  readonly toResponse: () => HttpServerResponse.HttpServerResponse

  constructor(value: Value, toResponse: () => HttpServerResponse.HttpServerResponse) {
    this.value = value
    this.toResponse = toResponse
  }
}
