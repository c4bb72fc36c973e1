/** A request that failed before it was routed is found by every process, and after a restart; so is a generation by its request. */
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Options } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { postgres, sqlite } from "@signalbox/sql"
import * as Effect from "effect/Effect"
import { expect, inject, onTestFinished, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { keys } from "../support/TestServer.ts"

const upstream: Upstream = {
  slug: "one",
  name: "One",
  decisions: {
    decide: ({ questions }) =>
      Effect.succeed({
        verdicts: new Map(Object.keys(questions).map((name) => [name, { weights: [0.9, 0.1] }])),
        usage: { inputTokens: 1, outputTokens: 1 },
        method: "native"
      }),
    estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
  }
}

const other = "sk-manager-of-another-account-1"

const start = async (given: Pick<Options, "stores" | "settings">) => {
  const instance = await Signalbox.make({
    ...given,
    upstreams: [upstream],
    models: [
      {
        id: "proof/model",
        endpoints: [{ provider: "one", price: { prompt: "0", completion: "0" } }]
      }
    ],
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" }
    ],
    authenticate: ({ token }) =>
      token === other ? { user: "eve", account: "other", canManage: true } : undefined
  })
  onTestFinished(() => instance.close())
  const send = async (key: string, path: string, requestId?: string, body?: unknown) => {
    const response = await instance.fetch(
      new Request(`http://signalbox.invalid/api${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          ...(requestId === undefined ? undefined : { "x-request-id": requestId })
        },
        ...(body === undefined ? undefined : { body: JSON.stringify(body) })
      })
    )
    return {
      status: response.status,
      headers: response.headers,
      json: await response.json()
    }
  }
  const list = async (query: string, key: string = keys.management) => {
    const { json, status } = await send(key, `/v1/signalbox/failed-requests?limit=100&${query}`)
    expect(status).toBe(200)
    return getProperty(json, "data")
  }
  const decide = (requestId: string) =>
    send(keys.member, "/alpha/decisions", requestId, {
      model: "proof/model",
      state: "x",
      questions: { calm: { type: "noul", instructions: "Is it calm?" } }
    })
  return { close: () => instance.close(), decide, list, send }
}

type Started = Awaited<ReturnType<typeof start>>

/** A request with each status, and what it is found by. */
const fail = async ({ send }: Started) => {
  const invalid = await send(keys.member, "/alpha/decisions", "req-400", { model: 7 })
  const stranger = await send("sk-nobody", "/v1/keys", "req-401")
  expect([invalid.status, stranger.status]).toEqual([400, 401])
}

const databases = {
  "two processes on one Postgres": async () => {
    const options = { url: inject("postgresUrl"), schema: `failures-${crypto.randomUUID()}` }
    const first = await start({ stores: postgres(options) })
    const second = await start({ stores: postgres(options) })
    return {
      first,
      // A list writes what waits in its process.
      reopen: async () => (await first.list(""), second)
    }
  },
  "a restart on one SQLite file": async () => {
    const path = join(tmpdir(), `failures-${crypto.randomUUID()}.db`)
    const first = await start({ stores: sqlite({ path }) })
    return {
      first,
      reopen: async () => {
        await first.close()
        return start({ stores: sqlite({ path }) })
      }
    }
  }
}

test.for(Object.entries(databases))("a 400 and a 401 are found by: %s", async ([, open]) => {
  const { first, reopen } = await open()
  await fail(first)
  const decided = await first.decide("req-200")
  expect(decided.status).toBe(200)
  await first.send(keys.management, "/v1/signalbox/generations")
  const second = await reopen()
  for (const status of [400, 401]) {
    expect(await second.list(`request_id=req-${status}`)).toMatchObject([{ status }])
    expect(await second.list(`request_id=req-${status}`, other)).toEqual([])
  }
  const found = await second.send(keys.member, "/v1/generation?id=req-200")
  expect(found.json).toMatchObject({ data: { id: decided.headers.get("x-generation-id") } })
})

test("a generation is found by the x-request-id of its response, within its account", async () => {
  const { decide, send } = await start({})
  const decided = await decide("req-mine")
  const id = decided.headers.get("x-generation-id")
  for (const path of ["/v1/generation?id=", "/v1/signalbox/generations/"]) {
    const found = await send(keys.management, `${path}req-mine`)
    expect(found.json).toMatchObject({ data: { id } })
    expect((await send(other, `${path}req-mine`)).status).toBe(404)
  }
  const { json } = await send(keys.management, "/v1/signalbox/generations?request_id=req-mine")
  expect(json).toMatchObject({ data: [{ id, request_id: "req-mine" }] })
  const missing = await send(keys.management, "/v1/generation?id=req-none")
  expect(missing.status).toBe(404)
  expect(JSON.stringify(missing.json)).toContain("failed-requests")
})

test("a flood of strangers is recorded in part, and evicts nothing of an account", async () => {
  const most = 5
  const { list, send } = await start({
    stores: sqlite({ path: ":memory:" }),
    settings: { maxUnauthenticatedFailuresPerMinute: most, maxFailedRequestsPerAccount: 3 }
  })
  for (let at = 0; at < 5; at++) await send(keys.management, "/v1/keys", `own-${at}`, { limt: at })
  for (let at = 0; at < 20; at++) await send("sk-nobody", "/v1/keys", `stranger-${at}`)
  expect(await list("status=400")).toMatchObject(
    ["own-4", "own-3", "own-2"].map((request_id) => ({ request_id }))
  )
  expect(await list("status=401")).toHaveLength(3)
})
