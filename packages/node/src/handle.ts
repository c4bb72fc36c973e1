/** Serves Node requests; a request is interrupted if its client disconnects. */
import type { ServerResponse } from "node:http"
import {
  type AnyResponse,
  evaluate,
  isExit,
  isPending,
  makePendingRuns,
  observeContext,
  type PendingRun,
  type Respond,
  Settings,
  Step
} from "@signalbox/core/adapter"
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ErrorReporter from "effect/ErrorReporter"
import * as Exit from "effect/Exit"
import { causeResponse, ClientAbort } from "effect/http/HttpServerError"
import * as Scope from "effect/Scope"
import type { NodeRequest } from "./NodeRequest.ts"
import { onResponseClosed } from "./onResponseClosed.ts"
import { releaseConnection, writeResponse } from "./writeResponse.ts"

/** `onClosed` is called once, when the response is closed. */
export type Handle = (request: NodeRequest, respond: Respond, onClosed?: () => void) => void

/**
 * `context` has the services of all requests. Closing `scope` interrupts all requests. A request needs a fiber only for what
 * cannot wait by a callback, such as a streamed response.
 */
export const makeHandle = (context: Context.Context<never>, scope: Scope.Scope): Handle => {
  const { unreadResponseTimeoutMillis } = Context.get(context, Settings)
  const send = makeSend(unreadResponseTimeoutMillis)
  const running = Effect.runSync(makePendingRuns(scope))
  return (request, respond, onClosed) => {
    const { response, source } = request
    response.prependListener("finish", releaseRequest)
    const run = running.add(observeContext(context, request))
    const answered = Step.thenUninterruptibly(
      run.enter(() => evaluate(() => respond(request))),
      (exit) =>
        Exit.isSuccess(exit)
          ? send(run, request, exit.value)
          : sendFailure(send, run, request, exit.cause)
    )
    start(run, answered)
    onResponseClosed(source, response, () => {
      onClosed?.()
      // What is left once the response is written is uninterruptible.
      run.interrupt(ClientAbort.annotation)
    })
  }
}

const start = (run: PendingRun, effect: Effect.Effect<void>): void =>
  run.enter(() =>
    isExit(effect) || isPending(effect) ? run.go(effect) : goUninterruptibly(run, effect)
  )

/** What responds says itself where it can be interrupted. */
const goUninterruptibly = (run: PendingRun, effect: Effect.Effect<void>): void => {
  const exit = run.fork(effect, true)
  if (exit !== undefined) run.go(exit)
}

/** `failure` is what a request ended with that has no response of its own. */
type Send = (
  run: PendingRun,
  request: NodeRequest,
  answer: AnyResponse,
  failure?: Exit.Exit<never>
) => Effect.Effect<void>

const makeSend =
  (unreadTimeoutMillis: number): Send =>
  (run, request, answer, failure) => {
    const written = writeResponse(run, request, answer, unreadTimeoutMillis)
    const { openScope } = request
    return openScope === undefined
      ? written
      : Effect.onExit(written, (exit) => Scope.close(openScope, failure ?? exit))
  }

/** A bug, or an interruption, of what responds. */
const sendFailure = (
  send: Send,
  run: PendingRun,
  request: NodeRequest,
  cause: Cause.Cause<never>
): Effect.Effect<void> =>
  Effect.flatMap(causeResponse(cause), ([answer, reported]) =>
    Effect.andThen(
      ErrorReporter.report(reported),
      send(run, request, answer, Exit.failCause(cause))
    )
  )

/** A listener of the response. */
function releaseRequest(this: ServerResponse): void {
  releaseConnection(this.req, this)
}
