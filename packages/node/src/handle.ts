/** Serves Node requests, each in one fiber that is interrupted if its client disconnects. */
import type { ServerResponse } from "node:http"
import { observeContext, type Respond, Settings } from "@signalbox/core/adapter"
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ErrorReporter from "effect/ErrorReporter"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { causeResponse, ClientAbort } from "effect/http/HttpServerError"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Scope from "effect/Scope"
import type { NodeRequest } from "./NodeRequest.ts"
import { onResponseClosed } from "./onResponseClosed.ts"
import { releaseConnection, writeResponse } from "./writeResponse.ts"

/** `onClosed` is called once, when the response is closed. */
export type Handle = (request: NodeRequest, respond: Respond, onClosed?: () => void) => void

/** `context` has the services of all requests. Closing `scope` interrupts all fibers. */
export const makeHandle = (context: Context.Context<never>, scope: Scope.Scope): Handle => {
  const { unreadResponseTimeoutMillis } = Context.get(context, Settings)
  const send = makeSend(unreadResponseTimeoutMillis)
  return (request, respond, onClosed) => {
    const { response, source } = request
    response.prependListener("finish", releaseRequest)
    const answered = Effect.matchCauseEffect(
      Effect.suspend(() => respond(request)),
      {
        onSuccess: (answer) => send(request, answer),
        onFailure: (cause) => sendFailure(send, request, cause)
      }
    )
    const fiber = Effect.runForkWith(observeContext(context, request))(answered, uninterruptible)
    if (fiber.pollUnsafe() === undefined) Fiber.runIn(fiber, scope)
    onResponseClosed(source, response, () => {
      onClosed?.()
      // After the response is written this has no effect: the rest of the fiber is uninterruptible.
      fiber.interruptUnsafe(undefined, ClientAbort.annotation)
    })
  }
}

const uninterruptible = { uninterruptible: true }

/** `failure` is what a request ended with that has no response of its own. */
type Send = (
  request: NodeRequest,
  answer: HttpServerResponse,
  failure?: Exit.Exit<never>
) => Effect.Effect<void>

const makeSend =
  (unreadTimeoutMillis: number): Send =>
  (request, answer, failure) => {
    const written = writeResponse(request, answer, unreadTimeoutMillis)
    const { openScope } = request
    return openScope === undefined
      ? written
      : Effect.onExit(written, (exit) => Scope.close(openScope, failure ?? exit))
  }

/** A bug, or an interruption, of what responds. */
const sendFailure = (
  send: Send,
  request: NodeRequest,
  cause: Cause.Cause<never>
): Effect.Effect<void> =>
  Effect.flatMap(causeResponse(cause), ([answer, reported]) =>
    Effect.andThen(ErrorReporter.report(reported), send(request, answer, Exit.failCause(cause)))
  )

/** A listener of the response. */
function releaseRequest(this: ServerResponse): void {
  releaseConnection(this.req, this)
}
