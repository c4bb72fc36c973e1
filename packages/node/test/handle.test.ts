import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { ServerResponse } from "node:http"
import { describe, expect, it, onTestFinished } from "vitest"
import { makeHandle } from "../src/handle.ts"
import { NodeRequest } from "../src/NodeRequest.ts"

/** Answers each path with `respond`, and reports each response before it is handled. */
const startServer = async (
  respond: (path: string) => Effect.Effect<HttpServerResponse.HttpServerResponse>,
  onResponse: (response: ServerResponse) => void = () => undefined
) => {
  const scope = Scope.makeUnsafe()
  const handle = makeHandle(Context.empty(), scope)
  const server = createServer((request, response) => {
    onResponse(response)
    handle(new NodeRequest(request, response), ({ url }) => Effect.interruptible(respond(url)))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
  return (server.address() as AddressInfo).port
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: here\r\n\r\n`

/** Resolves `started` once `count` requests run, and `ended` once none runs any more. */
const makeWaitingHandler = (count: number) => {
  const started = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let running = 0
  return {
    started: started.promise,
    ended: ended.promise,
    start: () => {
      if (++running === count) started.resolve()
    },
    end: () => {
      if (--running === 0) ended.resolve()
    }
  }
}

// Node 22 does not emit events on a queued response; later versions do.
describe("a disconnecting client", () => {
  it("ends its pipelined requests before the turn of their responses", async () => {
    const requests = makeWaitingHandler(3)
    const port = await startServer(() =>
      Effect.sync(requests.start).pipe(
        Effect.andThen(Effect.never),
        Effect.onExit(() => Effect.sync(requests.end))
      )
    )
    const client = connect(port, "127.0.0.1")
    client.write(get("/1") + get("/2") + get("/3"))
    await requests.started
    client.destroy()
    await expect(requests.ended).resolves.toBeUndefined()
  })

  it("ends a pipelined stream before the turn of its response", async () => {
    const requests = makeWaitingHandler(2)
    const port = await startServer((path) =>
      path === "/1"
        ? Effect.sync(requests.start).pipe(
            Effect.andThen(Effect.never),
            Effect.onExit(() => Effect.sync(requests.end))
          )
        : Effect.succeed(
            HttpServerResponse.stream(
              Stream.make(new Uint8Array(1e6), new Uint8Array(1e6)).pipe(
                Stream.rechunk(1),
                Stream.onStart(Effect.sync(requests.start)),
                Stream.ensuring(Effect.sync(requests.end))
              )
            )
          )
    )
    const client = connect(port, "127.0.0.1")
    client.write(get("/1") + get("/2"))
    await requests.started
    client.destroy()
    await expect(requests.ended).resolves.toBeUndefined()
  })
})

describe("a response that the host has ended", () => {
  it("ends its stream without an error", async () => {
    const began = Promise.withResolvers<ServerResponse>()
    const ended = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const body = Stream.make(new Uint8Array(100)).pipe(
      Stream.concat(Stream.drain(Stream.fromEffect(Effect.promise(() => goOn.promise)))),
      Stream.concat(Stream.forever(Stream.make(new Uint8Array(100)))),
      Stream.ensuring(Effect.sync(ended.resolve))
    )
    const port = await startServer(
      () => Effect.succeed(HttpServerResponse.stream(body)),
      began.resolve
    )
    const client = connect(port, "127.0.0.1")
    client.write(get("/"))
    await once(client, "data")
    const response = await began.promise
    response.end()
    goOn.resolve()
    await expect(ended.promise).resolves.toBeUndefined()
    client.destroy()
  })

  it("ends a stream without chunks", async () => {
    const began = Promise.withResolvers<ServerResponse>()
    const ended = Promise.withResolvers<void>()
    const body = Stream.make(new Uint8Array(100)).pipe(
      Stream.concat(Stream.never),
      Stream.ensuring(Effect.sync(ended.resolve))
    )
    const port = await startServer(
      () => Effect.succeed(HttpServerResponse.stream(body)),
      began.resolve
    )
    const client = connect(port, "127.0.0.1")
    client.write(get("/"))
    await once(client, "data")
    const response = await began.promise
    response.end()
    await expect(ended.promise).resolves.toBeUndefined()
    client.destroy()
  })
})
