/** Answers web-standard requests through Effect's HTTP server. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { Drain } from "../../instance/Drain.ts"
import { Settings } from "../../instance/Settings.ts"
import { App } from "./App.ts"
import { type RespondEffect, toRespondEffect } from "./EffectRequest.ts"
import { HostRequest, Mount, stripMountPrefix } from "./Mount.ts"
import { runOnBodyStart } from "./runOnBodyStart.ts"

/** `mount` of the handler that it makes is a prefix as `toMountPrefix` returns it. */
export const makeWebResponder = (context: Context.Context<App | Drain>) => {
  const app = Context.get(context, App)
  const { scope } = app
  const respondNotFound = toRespondEffect(app.respondNotFound)
  const respond = withMountStripped(toRespondEffect(app.respond), respondNotFound)
  const respondDraining = withMountStripped(toRespondEffect(app.respondDraining), respondNotFound)
  const drain = Context.get(context, Drain)

  // Requests that still run when the instance closes are interrupted, as with the Node adapters.
  const underway = Effect.withFiber((fiber) => {
    Fiber.runIn(fiber, scope)
    return respond
  })
  const respondUntilDraining = Effect.suspend(() => {
    const leave = drain.enter()
    if (leave === undefined) return respondDraining
    let isRead = false
    /** A body is read in its own fiber, which ends after the scope of its request has closed. */
    const reading = Effect.withFiber((fiber) => {
      isRead = true
      fiber.addObserver(leave)
      Fiber.runIn(fiber, scope)
      return Effect.void
    })
    const finalizer = Effect.sync(() => {
      if (!isRead) leave()
    })
    return Effect.andThen(
      Effect.addFinalizer(() => finalizer),
      Effect.map(underway, (response) => runOnBodyStart(response, reading))
    )
  })
  const handle = HttpEffect.toWebHandlerWith<
    App | Drain,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >(Context.add(context, HttpMiddleware.TracerDisabledWhen, isTracedAlready))(respondUntilDraining)

  const { unreadResponseTimeoutMillis } = Context.get(context, Settings)
  return async (
    request: Request,
    mount: string,
    hostRequest: object | undefined
  ): Promise<Response> => {
    const mounted = Context.add(Context.make(Mount, mount), HostRequest, hostRequest)
    const response = await handle(request, mounted)
    return isStreamed(response) ? endUnread(response, unreadResponseTimeoutMillis) : response
  }
}

/** JSON of a known length is in memory as a whole. The file of a video has a length too, and holds a connection. */
const isStreamed = ({ body, headers }: Response): boolean =>
  body !== null && (!headers.has("content-length") || headers.get("content-type") !== jsonType)

const jsonType = "application/json"

/** A request has a span of its own, and a server's spans contain whole addresses and headers. */
const isTracedAlready = (): boolean => true

/**
 * A response with the same body. When nothing is read from it for `timeoutMillis`, from the start or although there is more,
 * the source is cancelled, as by a client that disconnects, and the next read fails.
 */
const endUnread = (response: Response, timeoutMillis: number): Response => {
  const { body } = response
  if (body === null) return response
  const reader = body.getReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  const awaitRead = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    timer = setTimeout(() => {
      const reason = new Error(`the response was not read for ${timeoutMillis} ms`)
      controller.error(reason)
      reader.cancel(reason).catch(() => {})
    }, timeoutMillis)
    // Timers of Node would keep a process alive that has nothing else to do.
    Object(timer).unref?.()
  }
  const guarded = new ReadableStream<Uint8Array>(
    {
      start: awaitRead,
      pull: async (controller) => {
        clearTimeout(timer)
        const { done, value } = await reader.read()
        if (done) return controller.close()
        controller.enqueue(value)
        awaitRead(controller)
      },
      cancel: (reason) => {
        clearTimeout(timer)
        return reader.cancel(reason)
      }
    },
    { highWaterMark: 0 }
  )
  return new Response(guarded, response)
}

/**
 * For hosts whose requests carry the whole path. Requires `Mount`; requests outside it get the response of
 * `respondNotFound`.
 */
const withMountStripped = (respond: RespondEffect, respondNotFound: RespondEffect): RespondEffect =>
  Effect.flatMap(Mount, (mount) =>
    mount === ""
      ? respond
      : Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
          const url = stripMountPrefix(request.url, mount)
          return url === undefined
            ? respondNotFound
            : Effect.provideService(
                respond,
                HttpServerRequest.HttpServerRequest,
                request.modify({ url })
              )
        })
  )
