import { createServer, type RequestListener } from "node:http"
import { signalbox } from "@signalbox/express"
import { Signalbox } from "@signalbox/node"
import { listen } from "@signalbox/testing/contracts"
import { describe, expect, it, onTestFinished } from "vitest"
import { expressVersions } from "./expressVersions.ts"

const makeInstance = async () => {
  const instance = await Signalbox.make({ upstreams: [], models: [] })
  onTestFinished(() => instance.close())
  return instance
}

const start = async (app: RequestListener): Promise<string> => {
  const host = await listen(createServer(app))
  onTestFinished(() => host.close())
  return host.origin
}

describe.each(expressVersions)("Express $major", ({ express }) => {
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
})
