/** A JSON response, which Node's adapter writes as it is: one of Effect copies its headers several times. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Step from "../../values/Step.ts"
import type { PushStream } from "../../values/push/PushStream.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import {
  type ErrorRules,
  toErrorResponse,
  toErrorResponseFromCause
} from "../errors/toErrorResponse.ts"
import { type EventStreamOptions, withKeepalive } from "./withKeepalive.ts"

/** A body that is written as JSON at once, with the headers beside those of the body. */
export class JsonAnswer {
  readonly status: number
  readonly text: string
  #headers: Readonly<Record<string, string>>

  constructor(body: object, headers: Readonly<Record<string, string>>, status = 200) {
    this.status = status
    this.text = JSON.stringify(body)
    this.#headers = headers
  }

  /** By name in lower case, without those of the body. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers
  }

  /** Names in lower case; its text is not written again. */
  addHeaders(more: Readonly<Record<string, string>>): this {
    this.#headers = { ...this.#headers, ...more }
    return this
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

/** The same answer with more headers, which is written as fast. */
export const addHeaders = (
  response: AnyResponse,
  headers: Readonly<Record<string, string>>
): AnyResponse =>
  response instanceof JsonAnswer
    ? response.addHeaders(headers)
    : HttpServerResponse.setHeaders(response, headers)

/** The content type of every `JsonAnswer`. */
export const jsonType = "application/json"

/** How an API writes an answer; each function returns the text of complete events. */
export interface AnswerWriter<A> {
  readonly write: (pieces: ReadonlyArray<A>) => string
  /** Writes the text after a complete answer. */
  readonly end: () => string
  /** Writes the text after an answer that broke off. `isExpected`: not because of a defect. */
  readonly fail: (error: ErrorResponse, isExpected: boolean) => string
}

/** The status has been sent by the time an answer breaks off, so the failure is an event, too. */
export const writeAnswer = <A, E extends ExpectedError>(
  pieces: PushStream<A, E>,
  writer: AnswerWriter<A>,
  options: EventStreamOptions,
  rules?: ErrorRules
): PushStream<string> => {
  const events: PushStream<string, E> = {
    run: (push) =>
      pieces.run((arrived) => {
        const text = writer.write(arrived)
        return text === "" ? Effect.void : push([text])
      })
  }
  return {
    run: (push) =>
      Step.matchCause(withKeepalive(events, options).run(push), {
        onSuccess: () => push([writer.end()]),
        onFailure: (cause) =>
          Effect.flatMap(writeFailure(cause, writer, rules), (text) => push([text]))
      })
  }
}

const writeFailure = <E extends ExpectedError>(
  cause: Cause.Cause<E>,
  { fail }: Pick<AnswerWriter<never>, "fail">,
  rules: ErrorRules | undefined
): Effect.Effect<string> => {
  const failed = cause.reasons.find(Cause.isFailReason)
  if (failed !== undefined) return Effect.succeed(fail(toErrorResponse(failed.error, rules), true))
  // The client has disconnected.
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  return Effect.map(toErrorResponseFromCause(cause, false, rules), (error) => fail(error, false))
}
