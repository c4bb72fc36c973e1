import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"
import { defaults } from "../../../../src/instance/Settings.ts"
import { UpstreamFailure } from "../../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { CurrentConnectionWait } from "../../../../src/engine/upstreams/transport/sendOnce.ts"
import { setClientTransport } from "../../../../src/engine/upstreams/transport/makeHttpClientTransport.ts"
import { postJson } from "../../../../src/engine/upstreams/transport/jsonRequests.ts"
import { streamEvents } from "../../../../src/engine/upstreams/transport/streamEvents.ts"
import type { TransportListener } from "../../../../src/engine/upstreams/transport/UpstreamTransport.ts"

const request = { url: "http://upstream.example", apiKey: undefined, body: {} }
const { headersTimeoutMillis } = defaults

const exchanges = {
  "an answer": postJson(request),
  "a stream": streamEvents({
    ...request,
    reader: () => ({ read: () => "event", done: () => undefined })
  }).run(() => Effect.void)
}

/** A transport whose requests wait until the test lets them start. */
const startWaiting = Effect.fnUntraced(function* (
  exchange: Effect.Effect<unknown, UpstreamFailure, HttpClient.HttpClient>
) {
  const calls: Array<string> = []
  let listener: TransportListener | undefined
  const client = HttpClient.make(() => Effect.die("it has a transport"))
  setClientTransport(client, {
    send: (_, given) => {
      listener = given
      given.onQueued?.()
      return () => {
        calls.push("aborted")
        given.onDequeued?.()
      }
    }
  })
  const fiber = yield* exchange.pipe(
    Effect.flip,
    Effect.provideService(HttpClient.HttpClient, client),
    Effect.provideService(CurrentConnectionWait, {
      onQueued: () => void calls.push("queued"),
      onDequeued: () => void calls.push("dequeued"),
      getQueuedMillis: () => 0
    }),
    Effect.forkChild({ startImmediately: true })
  )
  return { calls, fiber, start: () => listener?.onDequeued?.() }
})

describe.each(Object.keys(exchanges) as Array<keyof typeof exchanges>)("%s", (kind) => {
  it.effect("is awaited from when the request is sent, and not while it waits", () =>
    Effect.gen(function* () {
      const { calls, fiber, start } = yield* startWaiting(exchanges[kind])
      assert.deepStrictEqual(calls, ["queued"])
      yield* TestClock.adjust(2 * headersTimeoutMillis)
      assert.isUndefined(fiber.pollUnsafe())
      start()
      assert.deepStrictEqual(calls, ["queued", "dequeued"])
      yield* TestClock.adjust(headersTimeoutMillis - 1)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        yield* Fiber.join(fiber),
        new UpstreamFailure({ kind: "timeout", phase: "headers" })
      )
    })
  )

  it.effect("tells its attempt that a request which is aborted waits no more", () =>
    Effect.gen(function* () {
      const { calls, fiber } = yield* startWaiting(exchanges[kind])
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(calls, ["queued", "aborted", "dequeued"])
    })
  )
})
