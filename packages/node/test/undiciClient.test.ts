import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Stream from "effect/Stream"
import { describe, expect, it, onTestFinished } from "vitest"
import { makeUndiciClient } from "../src/undiciClient.ts"

/**
 * Sends headers and a first piece, and waits. Reports when the connection of the request was
 * closed.
 */
const startProvider = async (
  answer: (response: ServerResponse, request: IncomingMessage) => void
) => {
  const closed = Promise.withResolvers<void>()
  let connections = 0
  const server = createServer((request, response) => {
    request.resume()
    response.on("close", () => {
      if (!response.writableFinished) closed.resolve()
    })
    answer(response, request)
  })
  server.on("connection", () => {
    connections++
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    closed: closed.promise,
    connections: () => connections
  }
}

const withRequest = <A, E>(
  url: string,
  use: (response: HttpClientResponse.HttpClientResponse) => Effect.Effect<A, E>
) =>
  Effect.scoped(
    Effect.flatMap(
      makeUndiciClient(() => ({})),
      (client) => Effect.flatMap(client.get(url), use)
    )
  )

const readFirstChunk = (response: ServerResponse): void => {
  response.writeHead(200).write("a piece")
}

describe("a provider's connection is closed", () => {
  it.each([
    [
      "while it waits for the whole answer",
      (response: HttpClientResponse.HttpClientResponse) => response.text
    ],
    [
      "while it reads the streamed answer",
      (response: HttpClientResponse.HttpClientResponse) => Stream.runDrain(response.stream)
    ]
  ])("if the caller stops %s", async (_, read) => {
    const provider = await startProvider(readFirstChunk)
    const reading = Promise.withResolvers<void>()
    const client = Effect.flatMap(
      makeUndiciClient(() => ({})),
      (client) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(
            Effect.flatMap(client.get(provider.url), (response) =>
              Effect.andThen(Effect.sync(reading.resolve), read(response))
            )
          )
          yield* Effect.promise(() => reading.promise)
          yield* Effect.yieldNow
          yield* Fiber.interrupt(fiber)
          yield* Effect.promise(() => expect(provider.closed).resolves.toBeUndefined())
        })
    )
    await Effect.runPromise(Effect.scoped(client))
  })

  it("if its reader stops", async () => {
    const provider = await startProvider(readFirstChunk)
    await Effect.runPromise(
      withRequest(provider.url, (response) =>
        Effect.andThen(
          Stream.runHead(response.stream),
          Effect.promise(() => expect(provider.closed).resolves.toBeUndefined())
        )
      )
    )
  })
})

it("a connection whose response was read to its end is reused", async () => {
  const provider = await startProvider((response) => {
    response.end("all")
  })
  await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(
        makeUndiciClient(() => ({})),
        (client) =>
          Effect.repeat(
            Effect.flatMap(client.get(provider.url), (response) =>
              Stream.runDrain(response.stream)
            ),
            { times: 4 }
          )
      )
    )
  )
  expect(provider.connections()).toBe(1)
})
