import type { Signalbox } from "@signalbox/core"
import { App, makeWebHandler } from "@signalbox/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { key, requestBody, startInstance } from "./startInstance.ts"

const makeDecisionRequest = (path: string): Request =>
  new Request(`https://any.example${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: requestBody
  })

/** Replaces the responses with a stream of `text`. */
const withStreamedResponse = (instance: Signalbox, text: Stream.Stream<string>) => {
  const app = Context.get(instance.context, App)
  const respond = () => Effect.succeed(HttpServerResponse.stream(Stream.encodeText(text)))
  return makeWebHandler(Context.add(instance.context, App, { ...app, respond }))
}

describe("signalbox.fetch", () => {
  it("answers only below its mount", async () => {
    const { instance, calls } = await startInstance()
    const statuses = async (mount: string | undefined, paths: ReadonlyArray<string>) => {
      const options = mount === undefined ? undefined : { mount }
      const responses = await Promise.all(
        paths.map((path) =>
          instance.fetch(makeDecisionRequest(`${path}/api/alpha/decisions`), options)
        )
      )
      return responses.map(({ status }) => status)
    }
    for (const mount of ["/ai", "ai", "/ai/"]) {
      expect(await statuses(mount, ["/ai", "", "/a", "/aix", "/x/ai"])).toEqual([
        200, 404, 404, 404, 404
      ])
    }
    for (const mount of [undefined, "", "/"]) {
      expect(await statuses(mount, ["", "/ai"])).toEqual([200, 404])
    }
    expect(calls()).toBe(6)
    const elsewhere = await instance.fetch(new Request("https://any.example/"), { mount: "/ai" })
    expect(await elsewhere.json()).toEqual({ error: { code: 404, message: "Not Found" } })
  })

  it("a request runs until its last byte is read", async () => {
    const { instance } = await startInstance()
    const moment = Promise.withResolvers<string>()
    const fetch = withStreamedResponse(
      instance,
      Stream.concat(Stream.make("first, "), Stream.fromEffect(Effect.promise(() => moment.promise)))
    )
    const response = await fetch(new Request("https://any.example/api/v1/docs"))
    expect(await instance.health()).toMatchObject({ running: 1 })
    const closed = instance.close()
    moment.resolve("last")
    expect(await response.text()).toBe("first, last")
    await closed
    expect(await instance.health()).toMatchObject({ running: 0 })
  })

  it("a request ends if the host cancels the body", async () => {
    const { instance } = await startInstance()
    const fetch = withStreamedResponse(instance, Stream.concat(Stream.make("first"), Stream.never))
    const response = await fetch(new Request("https://any.example/api/v1/docs"))
    await response.body?.cancel()
    await instance.close()
    expect(await instance.health()).toMatchObject({ running: 0 })
  })

  it("ignores a request that is already aborted", async () => {
    const { instance, calls } = await startInstance()
    const request = new Request(makeDecisionRequest("/api/alpha/decisions"), {
      signal: AbortSignal.abort()
    })
    await instance.fetch(request)
    await instance.close()
    expect(calls()).toBe(0)
  })
})
