import { type ConnectionWait, CurrentConnectionWait } from "@signalbox/core/adapter"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { ServerResponse } from "node:http"
import { setImmediate as turn } from "node:timers/promises"
import { assert, describe, expect, it, onTestFinished } from "vitest"
import { ConnectionQueue } from "../../src/ConnectionQueue.ts"
import { makeLazyAgent } from "../../src/lazyAgent.ts"
import { makeUndiciClient } from "../../src/undiciClient.ts"
import { makeUndiciTransport } from "../../src/undiciTransport.ts"
import { startTestServer } from "./TestServer.ts"

const timeoutMillis = 600_000

/** Answers on the test's command, in the order of the requests. */
const startServer = async () => {
  const held: Array<ServerResponse> = []
  let arrived = Promise.withResolvers<void>()
  const server = await startTestServer((_, response) => {
    held.push(response)
    arrived.resolve()
  })
  return {
    url: server.url,
    requests: server.requests,
    waitForRequests: async (count: number) => {
      while (server.requests() < count) {
        arrived = Promise.withResolvers()
        await arrived.promise
      }
    },
    answer: () => void held.shift()?.end("ok")
  }
}

type Wait = Pick<ConnectionWait, "onQueued" | "onDequeued">

/** Sends a request, reports its waits to `wait`, and returns how it ends and what aborts it. */
type Send = (
  url: string,
  wait: Wait
) => { readonly ended: Promise<string>; readonly abort: () => void }

const senders: Readonly<
  Record<string, (connections: number) => Effect.Effect<Send, never, Scope.Scope>>
> = {
  "undici's dispatch": (connections) =>
    Effect.map(
      makeLazyAgent(() => ({ connections })),
      (agent): Send => {
        let queue: ConnectionQueue | undefined
        const transport = makeUndiciTransport(
          agent,
          (dispatcher) =>
            (queue ??= new ConnectionQueue(dispatcher, {
              maxConnections: connections,
              timeoutMillis
            }))
        )
        return (url, wait) => {
          const { promise, resolve } = Promise.withResolvers<string>()
          const abort = transport.send(
            { method: "GET", url, headers: {} },
            {
              ...wait,
              onResponse: () => {},
              onData: () => {},
              onEnd: () => resolve("answered"),
              onFailure: ({ phase }) => resolve(`failed: ${phase}`)
            }
          )
          return { ended: promise, abort }
        }
      }
    ),
  "Effect's HttpClient": (connections) =>
    Effect.map(
      makeUndiciClient(() => ({ connections }), { maxConnections: connections, timeoutMillis }),
      (client): Send =>
        (url, wait) => {
          const fiber = Effect.runFork(
            Effect.provideService(
              Effect.flatMap(client.get(url), ({ text }) => text),
              CurrentConnectionWait,
              { ...wait, getQueuedMillis: () => 0 }
            )
          )
          return {
            ended: Effect.runPromise(Fiber.await(fiber)).then((exit) =>
              Exit.isSuccess(exit) ? "answered" : "failed"
            ),
            abort: () => fiber.interruptUnsafe()
          }
        }
    )
}

describe.each(Object.keys(senders))("%s", (name) => {
  const start = async (connections: number) => {
    const scope = Scope.makeUnsafe()
    onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
    const server = await startServer()
    const transport = await Effect.runPromise(Scope.provide(senders[name]!(connections), scope))
    const calls: Array<string> = []
    const queued = Promise.withResolvers<void>()
    const send = (label: string) =>
      transport(server.url, {
        onQueued: () => {
          calls.push(`${label} queued`)
          queued.resolve()
        },
        onDequeued: () => void calls.push(`${label} dequeued`)
      })
    return { calls, hasQueued: queued.promise, send, server }
  }

  it.each([1, 2])(
    "tells only of requests that wait for one of %i connections",
    async (connections) => {
      const { calls, hasQueued, send, server } = await start(connections)
      // They connect.
      const first = Array.from({ length: connections }, (_, at) => send(`${at}`).ended)
      await server.waitForRequests(connections)
      const waiting = send("waiting").ended
      await hasQueued
      assert.strictEqual(server.requests(), connections)
      assert.deepStrictEqual(calls, ["waiting queued"])
      server.answer()
      await server.waitForRequests(connections + 1)
      assert.deepStrictEqual(calls, ["waiting queued", "waiting dequeued"])
      for (const _ of first) server.answer()
      expect(await Promise.all([...first, waiting])).toEqual(
        Array.from({ length: connections + 1 }, () => "answered")
      )
      // undici frees a connection in the turn after the end of its answer.
      await turn()
      const next = send("next").ended
      await server.waitForRequests(connections + 2)
      server.answer()
      assert.strictEqual(await next, "answered")
      assert.deepStrictEqual(calls, ["waiting queued", "waiting dequeued"])
    }
  )
})

it("tells of a request that is aborted while it waits that it waits no more", async () => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const server = await startServer()
  const send = await Effect.runPromise(Scope.provide(senders["undici's dispatch"]!(1), scope))
  const calls: Array<string> = []
  const ignored = { onQueued: () => {}, onDequeued: () => {} }
  const first = send(server.url, ignored).ended
  await server.waitForRequests(1)
  send(server.url, {
    onQueued: () => void calls.push("queued"),
    onDequeued: () => void calls.push("dequeued")
  }).abort()
  assert.deepStrictEqual(calls, ["queued", "dequeued"])
  server.answer()
  assert.strictEqual(await first, "answered")
  assert.deepStrictEqual(calls, ["queued", "dequeued"])
  assert.strictEqual(server.requests(), 1)
})
