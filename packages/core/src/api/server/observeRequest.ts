/** Gives the logs and spans of a request its id and the trace of its client, and logs it when it has ended. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { requestMessage } from "../../engine/observability/logging/RequestFacts.ts"
import { toLogAnnotations } from "../../engine/observability/logging/logGeneration.ts"
import {
  CurrentRequest,
  RequestLogEnabled,
  RequestFacts
} from "../../engine/observability/logging/RequestFacts.ts"
import { parseTraceparent } from "../../engine/observability/tracing/traceContext.ts"
import { readMonotonicMillis } from "../../values/SteadyTime.ts"
import type { IncomingRequest, Respond } from "./IncomingRequest.ts"

/** The context in which a request is served: logs in it carry the id of the request. */
export const observeContext = <R>(
  context: Context.Context<R>,
  { headers, requestId }: Pick<IncomingRequest, "headers" | "requestId">
): Context.Context<R> => {
  const annotated = Context.add(context, References.CurrentLogAnnotations, {
    ...Context.get(context, References.CurrentLogAnnotations),
    requestId
  })
  const traceparent = headers["traceparent"]
  return traceparent === undefined ? annotated : continueTrace(annotated, traceparent)
}

/** Continues the client's trace (https://www.w3.org/TR/trace-context/), unless the host has started a span. */
const continueTrace = <R>(context: Context.Context<R>, traceparent: string): Context.Context<R> => {
  if (Option.isSome(Context.getOption(context, Tracer.ParentSpan))) return context
  const span = parseTraceparent(traceparent)
  return span === undefined ? context : Context.add(context, Tracer.ParentSpan, span)
}

/**
 * Makes the function that logs requests, if the instance logs them. `findPath` returns the path of the operation as in
 * the contract; undefined if no operation matches.
 */
export const makeRequestLog = Effect.gen(function* () {
  const isEnabled = yield* RequestLogEnabled
  const clock = yield* Clock.Clock
  return (respond: Respond, findPath: (request: IncomingRequest) => string | undefined): Respond =>
    isEnabled ? (request) => logRequest(respond, request, findPath(request), clock) : respond
})

/** Paths that match no operation contain text from the client, so they are not logged. */
const unknownPath = "unknown"

/** Logs when the scope of the request closes, after a streamed response has ended. */
const logRequest = (
  respond: Respond,
  request: IncomingRequest,
  path: string = unknownPath,
  clock: Clock.Clock
): ReturnType<Respond> => {
  const startedAt = readMonotonicMillis(clock)
  const facts = new RequestFacts()
  let status = clientClosedRequestStatus
  const line = Effect.suspend(() => {
    const generation = facts.end()
    const isFailure = status >= 500 || generation?.error !== undefined
    return Effect.annotateLogs(
      isFailure ? Effect.logWarning(requestMessage) : Effect.logInfo(requestMessage),
      {
        method: request.method,
        path,
        requestId: request.requestId,
        status,
        durationMillis: readMonotonicMillis(clock) - startedAt,
        ...(generation === undefined ? undefined : toLogAnnotations(generation))
      }
    )
  })
  const responded = Effect.provideService(
    Effect.suspend(() => respond(request)),
    CurrentRequest,
    facts
  )
  return Effect.andThen(
    Scope.addFinalizer(request.scope, line),
    Effect.map(responded, (response) => {
      status = response.status
      return response
    })
  )
}

/** The status that nginx logs when the client disconnects before the response. */
const clientClosedRequestStatus = 499
