/** A JSON response, which Node's adapter writes as it is: one of Effect copies its headers several times. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A body that is written as JSON at once, with the headers beside those of the body. */
export class JsonAnswer {
  readonly status: number
  readonly text: string
  /** By name in lower case, without those of the body. */
  readonly headers: Readonly<Record<string, string>>

  constructor(body: object, headers: Readonly<Record<string, string>>, status = 200) {
    this.status = status
    this.text = JSON.stringify(body)
    this.headers = headers
  }
}

/** What a request is answered with. */
export type AnyResponse = HttpServerResponse.HttpServerResponse | JsonAnswer

/** The response of Effect that an answer stands for. */
export const toHttpResponse = (response: AnyResponse): HttpServerResponse.HttpServerResponse =>
  response instanceof JsonAnswer
    ? HttpServerResponse.text(response.text, {
        status: response.status,
        headers: response.headers,
        contentType: jsonType
      })
    : response

/** The content type of every `JsonAnswer`. */
export const jsonType = "application/json"
