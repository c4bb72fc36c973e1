/** Counts the fibers of a request and the contexts that they run in: a fiber allocates more than most requests need. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as References from "effect/References"
import { expect, it, onTestFinished } from "vitest"
import { signalbox } from "@signalbox/node"
import { key, requestBody, startInstance } from "./startInstance.ts"

type AnyFiber = Fiber.Fiber<unknown, unknown>

/** Counts in each fiber whose logs carry the id of the request. */
const countFibers = (requestId: string) => {
  const counts = { fibers: 0, contexts: 0 }
  const prototype: AnyFiber = Object.getPrototypeOf(Effect.runFork(Effect.void))
  const setContext: AnyFiber["setContext"] = Reflect.get(prototype, "setContext")
  prototype.setContext = function (this: AnyFiber, context) {
    const annotations = Context.get(context, References.CurrentLogAnnotations)
    if (annotations["requestId"] === requestId) {
      if (this.context === undefined) counts.fibers++
      else if (this.context !== context) counts.contexts++
    }
    setContext.call(this, context)
  }
  onTestFinished(() => {
    prototype.setContext = setContext
  })
  return counts
}

/** Serves an instance, and sends requests whose id the test chooses. */
const startServer = async () => {
  const { instance } = await startInstance()
  const server = createServer(signalbox(instance)).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return async (method: string, path: string, body: string | undefined, requestId: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "x-request-id": requestId
      },
      ...(body === undefined ? undefined : { body })
    })
    await response.text()
    return response
  }
}

it.each([
  ["an invalid Decision", "POST", "/api/alpha/decisions", "{}", 400],
  ["a request without the required key", "GET", "/api/v1/credits", undefined, 403],
  ["an unknown path", "GET", "/api/v1/nothing", undefined, 404],
  ["a probe", "GET", "/api/v1/signalbox/live", undefined, 200]
] as const)("%s is served without a fiber", async (_name, method, path, body, status) => {
  const request = await startServer()
  // Looks the key up and loads the operation.
  await request(method, path, body, "req-first")
  const counts = countFibers("req-counted")
  const response = await request(method, path, body, "req-counted")
  expect(response.status).toBe(status)
  expect(response.headers.get("x-request-id")).toBe("req-counted")
  expect(counts).toEqual({ fibers: 0, contexts: 0 })
})

it("a Decision needs a fiber for the code of its upstream alone", async () => {
  const request = await startServer()
  await request("POST", "/api/alpha/decisions", requestBody, "req-first")
  const counts = countFibers("req-counted")
  const response = await request("POST", "/api/alpha/decisions", requestBody, "req-counted")
  expect(response.status).toBe(200)
  expect(counts).toEqual({ fibers: 1, contexts: 0 })
})
