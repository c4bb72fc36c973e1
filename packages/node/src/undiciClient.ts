/** Effect's `HttpClient` on undici. */
import { CurrentConnectionWait, setClientTransport } from "@signalbox/core/adapter"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as Scope from "effect/Scope"
import type { Agent, Dispatcher } from "undici"
import { makeTooManyInformational, maxInformational } from "./informational.ts"
import { type LazyAgent, makeLazyAgent, type Undici } from "./lazyAgent.ts"
import { toUndiciForm } from "./toUndiciForm.ts"
import { ConnectionQueue, type ConnectionQueueOptions, limitQueue } from "./ConnectionQueue.ts"
import { makeUndiciTransport } from "./undiciTransport.ts"

/**
 * `agentOptions` runs when undici is loaded. The client neither repeats requests nor follows redirects. It limits only the
 * time to connect, and with `queueOptions` the wait for a connection; callers limit the rest. Requests to upstreams use its
 * connections without the client itself.
 */
export const makeUndiciClient = (
  agentOptions: (undici: Undici) => Agent.Options,
  queueOptions?: ConnectionQueueOptions
): Effect.Effect<HttpClient.HttpClient, never, Scope.Scope> =>
  Effect.map(makeLazyAgent(agentOptions), (agent) => {
    let queue: ConnectionQueue | undefined
    const getQueue = (dispatcher: Agent) =>
      queueOptions === undefined
        ? undefined
        : (queue ??= new ConnectionQueue(dispatcher, queueOptions))
    const client = makeClient(agent, getQueue)
    setClientTransport(client, makeUndiciTransport(agent, getQueue))
    return client
  })

const makeClient = (
  agent: LazyAgent,
  getQueue: (dispatcher: Agent) => ConnectionQueue | undefined
): HttpClient.HttpClient =>
  HttpClient.make((request, url, signal, fiber) =>
    Effect.tryPromise({
      try: async () => {
        const [{ dispatcher, undici }, { UndiciResponse }] = await Promise.all([
          agent.load(),
          import("./UndiciResponse.ts")
        ])
        const queue = getQueue(dispatcher)
        const sender =
          queue === undefined
            ? dispatcher
            : dispatcher.compose(limitQueue(queue, fiber.getRef(CurrentConnectionWait)))
        const source = await sender.request({
          ...toBody(request, undici),
          origin: url.origin,
          path: url.pathname + url.search,
          method: request.method,
          headersTimeout: 0,
          bodyTimeout: 0,
          onInfo: limitInformational(),
          signal
        })
        return new UndiciResponse(request, source, url.href.replace(/#.*/, ""))
      },
      catch: (cause) =>
        new HttpClientError.HttpClientError({
          reason: new HttpClientError.TransportError({ request, cause })
        })
    })
  )

const limitInformational = (): (() => void) => {
  let count = 0
  return () => {
    if (++count > maxInformational) throw makeTooManyInformational()
  }
}

const toBody = (
  { body, headers }: HttpClientRequest.HttpClientRequest,
  undici: Undici
): Pick<Dispatcher.RequestOptions, "body" | "headers"> => {
  switch (body._tag) {
    case "Empty":
      return { headers }
    case "Uint8Array":
      return { headers, body: body.body }
    case "FormData":
      return toUndiciForm(headers, body.formData, undici)
    case "Raw":
    case "Stream":
      throw new TypeError(`a ${body._tag} body is not sent`)
  }
}
