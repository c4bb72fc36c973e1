import { once } from "node:events"
import { createServer, type IncomingMessage, type RequestListener, request } from "node:http"
import { signalbox } from "@signalbox/node"
import { listen } from "@signalbox/testing/contracts"
import { describe, expect, it, onTestFinished } from "vitest"
import { key, requestBody, startInstance } from "./startInstance.ts"

const start = async (listener: RequestListener): Promise<string> => {
  const host = await listen(createServer(listener))
  onTestFinished(() => host.close())
  return host.origin
}

const post = (url: string, body: string = requestBody): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body
  })

describe("signalbox in node:http", () => {
  it("answers 404 without a next handler", async () => {
    const { instance } = await startInstance()
    const origin = await start(signalbox(instance, { mount: "/ai" }))
    for (const path of ["/", "/ai", "/ai/api/v2/models", "/api/v1/openapi.json"]) {
      const response = await fetch(origin + path)
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({ error: { code: 404, message: "Not Found" } })
    }
  })

  it("says of a path below another prefix that the mount is missing", async () => {
    const { instance } = await startInstance()
    const origin = await start(signalbox(instance))
    const response = await fetch(`${origin}/ai/api/v1/models?x`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      error: {
        message: expect.stringMatching(/^the path begins with \/ai, .* { mount: "\/ai" }/)
      }
    })
  })

  it("serves a mount that the host has already taken off", async () => {
    const { instance } = await startInstance()
    const listener = signalbox(instance, { mount: "/ai" })
    const origin = await start((request, response) => {
      const url = request.url?.replace(/^\/ai/, "") ?? "/"
      listener(Object.assign(request, { baseUrl: "/ai", url }), response)
    })
    const response = await fetch(`${origin}/ai/api/v1/openapi.json`)
    expect(await response.json()).toMatchObject({ servers: [{ url: "/ai" }] })
  })

  it("keeps the request id that the host has set", async () => {
    const { instance } = await startInstance()
    const listener = signalbox(instance)
    const origin = await start((request, response) => {
      response.setHeader("x-request-id", "of-the-host")
      listener(request, response)
    })
    for (const path of ["/api/v1/openapi.json", "/api/v1/nothing", "/nothing"]) {
      const { headers } = await fetch(origin + path, { headers: { "x-request-id": "other" } })
      expect(headers.get("x-request-id")).toBe("of-the-host")
    }
  })

  it.each(["", "/", "ai", "/ai", "/ai/", "/a/b//"])("accepts %j as a mount", async (mount) => {
    const { instance } = await startInstance()
    const origin = await start(signalbox(instance, { mount }))
    const path = mount.split("/").filter(Boolean).join("/")
    const at = path === "" ? "" : `/${path}`
    const response = await fetch(`${origin}${at}/api/v1/openapi.json`)
    expect(await response.json()).toMatchObject({ servers: [{ url: at === "" ? "/" : at }] })
    expect((await post(`${origin}${at}/api/alpha/decisions?x=1`)).status).toBe(200)
  })

  it("ignores a request whose client has already disconnected", async () => {
    const { instance, calls } = await startInstance()
    const ours = signalbox(instance)
    const served = Promise.withResolvers<void>()
    const origin = await start((incoming, response) => {
      incoming.resume()
      response.once("close", () => {
        ours(incoming, response)
        served.resolve()
      })
      leaving.destroy()
    })
    const leaving = request(`${origin}/api/alpha/decisions`, { method: "POST" })
    leaving.once("error", () => {})
    leaving.end(requestBody)
    await served.promise
    await instance.close()
    expect(calls()).toBe(0)
    expect(await instance.health()).toMatchObject({ status: "draining", running: 0 })
  })

  it("rejects a body that was consumed and not stored", async () => {
    const { instance, calls } = await startInstance()
    const ours = signalbox(instance)
    const origin = await start((incoming, response) => {
      incoming.resume()
      incoming.once("end", () => ours(incoming, response))
    })
    const response = await post(`${origin}/api/alpha/decisions`)
    expect(response.status).toBe(400)
    expect(calls()).toBe(0)
  })

  it.each([
    ["a value", JSON.parse(requestBody) as unknown, 200],
    ["text", requestBody, 200],
    ["bytes", Buffer.from(requestBody), 200],
    ["text that is not JSON", "{", 400],
    ["a value that JSON cannot represent", 1n, 400],
    ["null", null, 400]
  ])("uses the body of the host's parser: %s", async (_kind, body, status) => {
    const { instance } = await startInstance()
    const ours = signalbox(instance)
    const origin = await start((incoming, response) => {
      incoming.resume()
      incoming.once("end", () => ours(Object.assign(incoming, { body }), response))
    })
    expect((await post(`${origin}/api/alpha/decisions`)).status).toBe(status)
  })

  it("prefers an unread stream to the empty body of a parser", async () => {
    const { instance } = await startInstance()
    const ours = signalbox(instance)
    const origin = await start((incoming, response) => {
      ours(Object.assign(incoming, { body: {} }), response)
    })
    expect((await post(`${origin}/api/alpha/decisions`)).status).toBe(200)
  })

  it("closes the connection if the rest of a body is not read", async () => {
    const { instance } = await startInstance()
    const origin = await start(signalbox(instance))
    const sending = request(`${origin}/api/alpha/decisions`, { method: "POST", agent: false })
    sending.once("error", () => {})
    sending.setHeader("connection", "keep-alive")
    sending.write("the first of many chunks")
    const [response] = (await once(sending, "response")) as [IncomingMessage]
    expect(response.statusCode).toBe(401)
    expect(response.headers.connection).toBe("close")
    sending.destroy()
  })
})
