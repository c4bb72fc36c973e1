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
  it("writes the values of a path with parameters into the paths of its answers", async () => {
    const app = express()
    app.use("/tenants/:tenant/ai", signalbox(await makeInstance()))
    const origin = await start(app)
    for (const tenant of ["7", "a%2Fb"]) {
      const response = await fetch(`${origin}/tenants/${tenant}/ai/api/v1/openapi.json`)
      expect(await response.json()).toMatchObject({ servers: [{ url: `/tenants/${tenant}/ai` }] })
    }
  })

  it("cannot answer for a body that express.json() refuses before it: a page, from 100 kB on", async () => {
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
