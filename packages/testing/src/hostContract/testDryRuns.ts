/** Tests plans of a Decision, a chat and a video, which are distinguished by their bodies. */
import { expect, it } from "vitest"
import { send } from "./client.ts"
import type { MakeHarness } from "./HostHarness.ts"
import {
  managementKey,
  memberKey,
  parseError,
  makeRequest,
  mountInstance,
  type MountedInstance
} from "./mountInstance.ts"

const requests = [
  ["a decision", "host/contract", JSON.parse(makeRequest("anything"))],
  ["a chat", "host/talk", { model: "host/talk", messages: [{ role: "user", content: "Hello" }] }],
  ["a video", "host/film", { model: "host/film", prompt: "a tide pool", duration: 4 }]
] as const

const post = ({ url }: MountedInstance, body: unknown, key: string = managementKey) =>
  send(`${url}/api/v1/signalbox/plan`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }
  })

export const testDryRuns = (makeHarness: MakeHarness): void => {
  const mounts = ["/ai"] as const

  it.each(requests)(
    "of %s are the same over HTTP and in process",
    async (_name, model, request) => {
      const server = await mountInstance(makeHarness, { mounts })
      const { headers, status, text } = await post(server, { request, seed: 7 })
      expect([status, headers["x-host"]]).toEqual([200, "here"])
      const { data } = JSON.parse(text)
      expect(data).toMatchObject({
        models: [model],
        ordered: [{ endpoint: `${model}@judge`, model, provider: "Judge" }],
        rejected: [],
        seed: 7
      })
      const { health, seed } = data
      expect(await server.instance.explain(request, { health, seed })).toEqual(data)
    }
  )

  it.each(requests)(
    "of %s list rejected endpoints, and rules to relax",
    async (...[, , request]) => {
      const server = await mountInstance(makeHarness, { mounts })
      const provider = { ignore: ["judge"] }
      const { text } = await post(server, { request: { ...request, provider } })
      expect(JSON.parse(text).data).toMatchObject({
        ordered: [],
        rejected: [{ provider: "Judge", reasons: [{ rule: "ignore", source: "request" }] }],
        relax: [{ rule: "ignore", source: "request" }]
      })
    }
  )

  it("need a management key and a recognizable request", async () => {
    const server = await mountInstance(makeHarness, { mounts })
    for (const [, , request] of requests) {
      expect(parseError(await post(server, { request }, memberKey))).toBe(403)
    }
    expect(parseError(await post(server, { request: { model: "host/talk" } }))).toBe(400)
  })
}
