/** Gives every request an id, the trace of its client and a log line. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { requestMessage } from "../../observability/logging/lineLogger.ts"
import { toLogAnnotations } from "../../observability/logging/logGeneration.ts"
import {
  CurrentRequest,
  RequestLogEnabled,
  RequestFacts
} from "../../observability/logging/RequestFacts.ts"
import { requestIdHeader, getRequestId } from "./requestId.ts"

type Request = HttpServerRequest.HttpServerRequest

type Respond<E> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, Request | Scope.Scope>

/** `pathOf` returns the path of the operation as in the contract; undefined if no operation matches. */
export const observeRequest = <E>(
  respond: Respond<E>,
  pathOf: (request: Request) => string | undefined
): Respond<E> =>
  Effect.withFiber((fiber) => {
    const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
    const requestId = getRequestId(request.headers)
    const answered = Effect.map(
      Effect.annotateLogs(continueTrace(respond, request, fiber.context), { requestId }),
      (response) => HttpServerResponse.setHeader(response, requestIdHeader, requestId)
    )
    return fiber.getRef(RequestLogEnabled)
      ? logRequest(answered, {
          method: request.method,
          path: pathOf(request) ?? unknownPath,
          requestId
        })
      : answered
  })

/** Paths that match no operation contain text from the client, so they are not logged. */
const unknownPath = "unknown"

/** Continues the client's trace (https://www.w3.org/TR/trace-context/), unless the host has started a span. */
const continueTrace = <E>(
  respond: Respond<E>,
  { headers }: Request,
  context: Context.Context<never>
): Respond<E> => {
  if (headers["traceparent"] === undefined) return respond
  if (Option.isSome(Context.getOption(context, Tracer.ParentSpan))) return respond
  return Option.match(HttpTraceContext.w3c(headers), {
    onNone: () => respond,
    onSome: (span) => Effect.withParentSpan(respond, span)
  })
}

interface RequestDescription {
  readonly method: string
  readonly path: string
  readonly requestId: string
}

/** Logs when the scope of the request closes, after a streamed response has ended. */
const logRequest = <E>(respond: Respond<E>, described: RequestDescription): Respond<E> =>
  Effect.flatMap(Clock.currentTimeMillis, (startedAt) => {
    const facts = new RequestFacts()
    let status = clientClosedRequestStatus
    const line = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const generation = facts.end()
      const isFailure = status >= 500 || generation?.error !== undefined
      return Effect.annotateLogs(
        isFailure ? Effect.logWarning(requestMessage) : Effect.logInfo(requestMessage),
        {
          ...described,
          status,
          durationMillis: now - startedAt,
          ...(generation === undefined ? undefined : toLogAnnotations(generation))
        }
      )
    })
    return Effect.andThen(
      Effect.addFinalizer(() => line),
      Effect.tap(Effect.provideService(respond, CurrentRequest, facts), (response) =>
        Effect.sync(() => {
          status = response.status
        })
      )
    )
  })

/** The status that nginx logs when the client disconnects before the response. */
const clientClosedRequestStatus = 499
