import { createServer, type RequestListener } from "node:http"
import { signalbox } from "@signalbox/express"
import { type Options, Signalbox } from "@signalbox/node"
import { listen } from "@signalbox/testing/contracts"
import type { Express, RequestHandler } from "express"
import { describe, expect, it, onTestFinished } from "vitest"
import { expressVersions } from "./expressVersions.ts"

const makeInstance = async (options: Partial<Options> = {}) => {
  const instance = await Signalbox.make({ upstreams: [], models: [], ...options })
  onTestFinished(() => instance.close())
  return instance
}

const start = async (app: RequestListener): Promise<string> => {
  const host = await listen(createServer(app))
  onTestFinished(() => host.close())
  return host.origin
}

const drain: RequestHandler = (request, _response, next) => {
  request.on("end", next).resume()
}

const readStart: RequestHandler = (request, _response, next) => {
  request.once("data", () => {
    request.pause()
    next()
  })
}

const type = () => true

describe.each(expressVersions)("Express $major", ({ express, major }) => {
  it("links in responses have the values of a mount with parameters", async () => {
    const app = express()
    app.use("/tenants/:tenant/ai", signalbox(await makeInstance()))
    const origin = await start(app)
    for (const tenant of ["7", "a%2Fb"]) {
      const response = await fetch(`${origin}/tenants/${tenant}/ai/api/v1/openapi.json`)
      expect(await response.json()).toMatchObject({ servers: [{ url: `/tenants/${tenant}/ai` }] })
    }
  })

  it("express.json() in front rejects bodies above 100 kB with an HTML page", async () => {
    const app = express()
    app.use(express.json(), signalbox(await makeInstance()))
    const origin = await start(app)
    const post = (bytes: number) =>
      fetch(`${origin}/api/alpha/decisions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify("x".repeat(bytes))
      })
    const refused = await post(150_000)
    expect(refused.status).toBe(413)
    expect(refused.headers.get("content-type")).toMatch(/^text\/html/)
  })

  describe("as a route, whose prefix Express leaves in the path", () => {
    const wildcard = major === 4 ? "*" : "*splat"

    it.each([
      ["app.all", (app: Express, ai: RequestHandler) => app.all(`/ai/${wildcard}`, ai), "/ai"],
      ["app.get", (app: Express, ai: RequestHandler) => app.get(`/ai/${wildcard}`, ai), "/ai"],
      [
        "app.all of several paths",
        (app: Express, ai: RequestHandler) => app.all([`/x/${wildcard}`, `/ai/${wildcard}`], ai),
        "/ai"
      ],
      [
        "app.all below a parameter",
        (app: Express, ai: RequestHandler) => app.all(`/tenants/:tenant/ai/${wildcard}`, ai),
        "/tenants/a%2Fb/ai"
      ],
      [
        "router.all",
        (app: Express, ai: RequestHandler) =>
          app.use("/outer", express.Router().all(`/ai/${wildcard}`, ai)),
        "/outer/ai"
      ],
      [
        "router.all below the mount",
        (app: Express, ai: RequestHandler) =>
          app.use("/ai", express.Router().all(`/api/v1/${wildcard}`, ai)),
        "/ai"
      ]
    ] as const)("is served by %s", async (_, mountAs, mount) => {
      const app = express()
      mountAs(app, signalbox(await makeInstance()))
      const origin = await start(app)
      const response = await fetch(`${origin}${mount}/api/v1/openapi.json?x=/api/v1`)
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ servers: [{ url: mount }] })
      expect((await fetch(`${origin}${mount}/x/api/v1/openapi.json`)).status).toBe(404)
    })

    it("leaves what is not below its prefix to the next handler", async () => {
      const app = express()
      app.all(major === 4 ? "*" : "/*splat", signalbox(await makeInstance()))
      app.all(`/ai/${wildcard}`, signalbox(await makeInstance()))
      app.use((_request, response) => void response.json("the host"))
      const origin = await start(app)
      expect(await (await fetch(`${origin}/other/api/v1/models`)).json()).toBe("the host")
      const { servers } = Object(await (await fetch(`${origin}/ai/api/v1/openapi.json`)).json())
      expect(servers).toEqual([{ url: "/ai" }])
    })
  })

  describe("a body that the host has read", () => {
    const lost = "mount Signalbox before that middleware"

    it.each([
      ["and dropped", drain, lost],
      ["in part", readStart, lost],
      ["as a form", express.urlencoded({ type, extended: false }), "as a form"],
      ["as a nested form", express.urlencoded({ type, extended: true }), "as a form"],
      ["as JSON", express.json({ type }), "state"],
      ["as text", express.text({ type }), "state"],
      ["as bytes", express.raw({ type }), "state"]
    ] as const)("%s is used, or the error says what is wrong", async (_, middleware, message) => {
      const instance = await makeInstance({
        keys: [{ key: "sk-ada", kind: "member", user: "ada" }]
      })
      const app = express()
      app.use(middleware, signalbox(instance))
      const origin = await start(app)
      const response = await fetch(`${origin}/api/alpha/decisions`, {
        method: "POST",
        headers: { authorization: "Bearer sk-ada", "content-type": "application/json" },
        body: JSON.stringify({ model: "a/b" })
      })
      expect(response.status).toBe(400)
      expect(Object(await response.json()).error.message).toContain(message)
    })

    it("is empty if the client has sent none", async () => {
      const instance = await makeInstance({
        keys: [{ key: "sk-ada", kind: "member", user: "ada" }]
      })
      const app = express()
      app.use(drain, signalbox(instance))
      const origin = await start(app)
      const response = await fetch(`${origin}/api/alpha/decisions`, {
        method: "POST",
        headers: { authorization: "Bearer sk-ada" }
      })
      expect(response.status).toBe(400)
      expect(Object(await response.json()).error.message).toContain("not valid JSON")
    })
  })
})
