/** Sends one request for server-sent events to an upstream, and classifies failures. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Tracer from "effect/Tracer"
import { Settings } from "../../../instance/Settings.ts"
import type { PushStream } from "../../../values/push/PushStream.ts"
import { isObject } from "../../../values/json/guards.ts"
import { findEmbeddedFailure } from "../failures/findEmbeddedFailure.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { EventDecoder, type EventReader } from "./EventDecoder.ts"
import { EventExchange } from "./EventExchange.ts"
import { getTransport } from "./makeHttpClientTransport.ts"
import { encodeBody, type FormRequest, type JsonRequest, toFormData } from "./jsonRequests.ts"
import { signRequest } from "./signRequest.ts"
import { readFailure, toHeaders, toJsonHeaders, type UpstreamRequest } from "./UpstreamRequest.ts"
import type { TransportRequest } from "./UpstreamTransport.ts"
import { withContext } from "../../../values/Pending.ts"
import * as Step from "../../../values/Step.ts"

/** A request for server-sent events, by JSON or by a form. */
export type EventStreamRequest<A> = (FormRequest | JsonRequest) & {
  /** Creates the reader of one response. */
  readonly reader: () => EventReader<A>
  /** Receives the JSON of the body as it is sent, without the secrets of the request. */
  readonly onBody?: ((body: unknown) => void) | undefined
}

/**
 * Posts `request` and pushes the events of a 2xx response, each of them JSON; events that arrive together are pushed
 * together. A stream that ends without `[DONE]` ends normally, with the result of `end` instead of `done`. Fails like
 * `postJson`, and for an `error` in an event, an event that is not JSON, larger than `maxUpstreamBodyBytes` or deeper
 * than `maxJsonDepth`, a stream larger than `maxStreamBytes`, and a response that is not a stream. The router enforces
 * the timeouts between events. A stream that is read to its end leaves a reusable connection. Each run sends a request.
 */
export const streamEvents = <A>(
  request: EventStreamRequest<A>
): PushStream<A, UpstreamFailure, HttpClient.HttpClient> => ({
  run: (push) =>
    withContext((context) => {
      const settings = Context.get(context, Settings)
      const clock = Context.get(context, Clock.Clock)
      const encoding: Effect.Effect<string | Uint8Array | FormData> =
        "form" in request ? Effect.succeed(toFormData(request)) : encodeBody(request)
      const signing = Step.flatMap(encoding, (body) =>
        signRequest(request, toPost(request, body), settings, clock)
      )
      return Step.flatMap(signing, ({ redactor, signature, signed }) => {
        if (request.onBody !== undefined && "body" in request) {
          // As it was made before it was signed, which changes no body.
          request.onBody(JSON.parse(redactor.redactJson(JSON.stringify(request.body))))
        }
        const transport = getTransport(context, Context.get(context, Tracer.Tracer))
        return new EventExchange(transport, signed, {
          clock,
          context,
          decoder: new EventDecoder(request.reader(), redactor, settings),
          push,
          settings,
          toFailure: (status, headers, body) => {
            const text = redactor.redactJson(body)
            return status >= 200 && status <= 299
              ? toNoStreamFailure(request.reader(), status, text)
              : readFailure(
                  request,
                  signature,
                  status,
                  headers,
                  text,
                  clock.currentTimeMillisUnsafe()
                )
          }
        }).run
      })
    })
})

const toPost = (
  request: UpstreamRequest,
  body: string | Uint8Array | FormData
): TransportRequest => ({
  method: "POST",
  url: request.url,
  headers: {
    accept: "text/event-stream",
    ...(body instanceof FormData ? toHeaders(request) : toJsonHeaders(request))
  },
  body
})

/** The error in a response that is not a stream. Dialects have error codes of their own, which their readers know. */
const toNoStreamFailure = <A>(
  reader: EventReader<A>,
  status: number,
  text: string
): UpstreamFailure =>
  findFailureInText(reader, text) ??
  new UpstreamFailure({
    kind: "invalid_answer",
    status,
    detail: "the answer is not a stream of events"
  })

const findFailureInText = <A>(
  reader: EventReader<A>,
  text: string
): UpstreamFailure | undefined => {
  try {
    const json: unknown = JSON.parse(text)
    if (!isObject(json) || !Object.hasOwn(json, "error")) return undefined
    const read = reader.read(json)
    return read instanceof UpstreamFailure ? read : findEmbeddedFailure(json)
  } catch {
    return undefined
  }
}
