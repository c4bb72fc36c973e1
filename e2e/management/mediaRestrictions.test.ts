/** Guardrails, zero data retention and customers' own credentials hold for images, speech and transcriptions. */
import { openai } from "@signalbox/openai"
import { Signalbox } from "@signalbox/node"
import { fault, imageOf, ScriptedUpstream } from "@signalbox/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { speechRequest, transcriptionRequest } from "../audio/startAudioServer.ts"
import { imageRequest } from "../images/startImageServer.ts"
import { nodeHost } from "../support/hosts.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { keys } from "../support/TestServer.ts"

const operations = [
  { path: "/images", request: imageRequest, cost: 0.04 },
  { path: "/images/generations", request: imageRequest, cost: 0.04 },
  {
    path: "/images/edits",
    request: { ...imageRequest, image: `data:image/png;base64,${imageOf()}` },
    cost: 0.04
  },
  { path: "/audio/speech", request: speechRequest, cost: 0.000_12 },
  { path: "/audio/transcriptions", request: transcriptionRequest, cost: 0.000_2 }
] as const

const toEndpoints = (terms: object) => [
  { provider: "first", ...terms },
  { provider: "second", zdr: true, ...terms }
]

const start = async () => {
  const first = await ScriptedUpstream.start()
  const second = await ScriptedUpstream.start()
  const perImage = { billable: "output_image", unit: "image", usd: "0.04" }
  const instance = await Signalbox.make({
    upstreams: [
      openai({ slug: "first", name: "first", baseUrl: `${first.url}/v1`, apiKey: "sk-first" }),
      openai({ slug: "second", name: "second", baseUrl: `${second.url}/v1`, apiKey: "sk-second" })
    ],
    models: [
      {
        id: imageRequest.model,
        card: { architecture: { output_modalities: ["image"] } },
        endpoints: toEndpoints({ images: { prices: [perImage] } })
      },
      { id: speechRequest.model, endpoints: toEndpoints({ price: { character: "0.000015" } }) },
      { id: transcriptionRequest.model, endpoints: toEndpoints({ price: { second: "0.0001" } }) }
    ],
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" }
    ],
    credits: { default: "1" },
    sealing: { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } }
  })
  const running = await nodeHost.start(instance, "")
  onTestFinished(async () => {
    await running.close()
    await instance.close()
    await first.close()
    await second.close()
  })
  const call = (path: string, key: string, body?: object) =>
    send(`${running.origin}/api/v1${path}`, {
      ...(body === undefined ? { method: "GET" } : { body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }
    })
  return {
    first,
    second,
    manage: (path: string, body?: object) => call(path, keys.management, body),
    ask: (path: string, request: object, changes: object = {}) =>
      call(path, keys.member, { ...request, ...changes })
  }
}

type Server = Awaited<ReturnType<typeof start>>

const findRecord = async ({ manage }: Server, id: string | undefined) =>
  getProperty((await manage(`/signalbox/generations/${id}`)).body, "data")

const guard = async ({ manage }: Server, rules: object) => {
  const made = await manage("/guardrails", { name: "narrow", ...rules })
  const id = String(getProperty(getProperty(made.body, "data"), "id"))
  const assigned = await manage(`/guardrails/${id}/assignments/members`, {
    member_user_ids: ["mem-1"]
  })
  expect([made.status, assigned.status]).toEqual([201, 200])
}

describe.each(operations)("$path", ({ cost, path, request }) => {
  test("goes to no model that a guardrail leaves out", async () => {
    const server = await start()
    await guard(server, { allowed_models: ["other/model"] })
    const refused = await server.ask(path, request)
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      404,
      expect.stringContaining("guardrail narrow")
    ])
    expect([...server.first.requests, ...server.second.requests]).toEqual([])
  })

  test("goes to no provider that a guardrail leaves out", async () => {
    const server = await start()
    await guard(server, { ignored_providers: ["first"] })
    expect((await server.ask(path, request)).status).toBe(200)
    expect([server.first.requests.length, server.second.requests.length]).toEqual([0, 1])
  })

  test("stays within a guardrail's limit", async () => {
    const server = await start()
    await guard(server, { limit_usd: cost / 2, reset_interval: "daily" })
    expect((await server.ask(path, request)).status).toBe(403)
    expect([...server.first.requests, ...server.second.requests]).toEqual([])
  })

  test("goes only where nothing is retained, if the request or a guardrail says so", async () => {
    const server = await start()
    const { first, second } = server
    const zdr = { provider: { ...request.provider, zdr: true } }
    expect((await server.ask(path, request, zdr)).status).toBe(200)
    const only = { provider: { only: ["first"], zdr: true } }
    expect((await server.ask(path, request, only)).status).toBe(404)
    await guard(server, { enforce_zdr_other: true })
    expect((await server.ask(path, request)).status).toBe(200)
    expect([first.requests.length, second.requests.length]).toEqual([0, 2])
  })

  test("runs on a customer's own credential, which pays, and else on the host's", async () => {
    const server = await start()
    const { first, manage } = server
    const made = await manage("/byok", { provider: "first", key: "sk-of-a-customer-5d0f1c9e7b" })
    expect(made.status).toBe(201)
    const own = await server.ask(path, request)
    expect(own.status).toBe(200)
    expect(first.requests[0]?.headers["authorization"]).toBe("Bearer sk-of-a-customer-5d0f1c9e7b")
    expect(await findRecord(server, own.headers["x-generation-id"])).toMatchObject({
      is_byok: true,
      cost: 0,
      upstream_inference_cost: cost
    })
    first.script(fault.status(401))
    const host = await server.ask(path, request)
    expect(first.requests.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer sk-of-a-customer-5d0f1c9e7b",
      "Bearer sk-of-a-customer-5d0f1c9e7b",
      "Bearer sk-first"
    ])
    expect(await findRecord(server, host.headers["x-generation-id"])).toMatchObject({
      is_byok: false,
      cost
    })
    expect(JSON.stringify(await manage("/signalbox/generations"))).not.toContain("5d0f1c9e7b")
  })
})

test("models are found by what they take and make", async () => {
  const { manage } = await start()
  const list = async (query: string) => {
    const data = getProperty((await manage(`/models?${query}`)).body, "data")
    return Array.isArray(data) ? data.map((model: unknown) => getProperty(model, "id")) : data
  }
  expect(await list("output_modalities=image")).toEqual([imageRequest.model])
  expect(await list("output_modalities=speech")).toEqual([speechRequest.model])
  expect(await list("output_modalities=transcription")).toEqual([transcriptionRequest.model])
  expect(await list("output_modalities=speech,transcription")).toHaveLength(2)
  expect(await list("output_modalities=all&input_modalities=audio")).toEqual([
    transcriptionRequest.model
  ])
  expect(await list("output_modalities=text")).toEqual([])
})
