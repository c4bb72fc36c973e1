import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Options } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import { sqlite } from "@signalbox/sql"
import { ScriptedUpstream } from "@signalbox/testing"
import { expect, test } from "vitest"
import { parseJson } from "../support/HttpResponse.ts"
import { getProperty } from "../support/getProperty.ts"
import { keys, questions } from "../support/TestServer.ts"
import { native } from "../support/decisionMethods.ts"

/** Runs an instance on the file at `path`; the upstream outlives it. */
const runInstance = async <A>(
  path: string,
  upstream: ScriptedUpstream,
  act: (call: Call) => Promise<A>,
  options: Partial<Options> = {}
): Promise<A> => {
  const instance = await Signalbox.make({
    stores: sqlite({ path }),
    upstreams: [
      native.makeUpstream(upstream.url, { slug: "first", name: "First", apiKey: "sk-up" })
    ],
    models: [
      {
        id: "proof/model",
        endpoints: [{ provider: "first", price: { prompt: "0", completion: "0", request: "0.01" } }]
      }
    ],
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" }
    ],
    credits: { default: "5" },
    sealing: { current: "one", keys: { one: "a sealing key of the proof of restarts" } },
    ...options
  })
  try {
    return await act(async (method, url, body, key = keys.management) => {
      const response = await instance.fetch(
        new Request(`http://signalbox.invalid/api${url}`, {
          method,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          ...(body === undefined ? undefined : { body: JSON.stringify(body) })
        })
      )
      const text = await response.text()
      return { status: response.status, body: parseJson(text) }
    })
  } finally {
    await instance.close()
  }
}

type Call = (
  method: string,
  url: string,
  body?: unknown,
  key?: string
) => Promise<{ readonly status: number; readonly body: unknown }>

const makeDatabasePath = (): string =>
  join(mkdtempSync(join(tmpdir(), "signalbox-")), "signalbox.db")

const decision = { model: "proof/model", state: "I was charged twice!", questions }

const readOperations = [
  "/v1/keys?include_disabled=true",
  "/v1/workspaces",
  "/v1/workspaces/lab",
  "/v1/workspaces/lab/budgets",
  "/v1/guardrails",
  "/v1/byok",
  "/v1/credits",
  "/v1/signalbox/audit"
]

test("resources, spending and records survive a restart", async () => {
  await using upstream = await ScriptedUpstream.start()
  const path = makeDatabasePath()
  const before = await runInstance(path, upstream, async (call) => {
    const made = async (url: string, body: unknown) => {
      const answer = await call("POST", url, body)
      expect(answer).toMatchObject({ status: expect.toSatisfy((status) => status < 300) })
      return answer.body
    }
    const lab = getProperty(await made("/v1/workspaces", { name: "Lab", slug: "lab" }), "data")
    await call("PUT", "/v1/workspaces/lab/budgets/daily", { limit_usd: 4 })
    const issued = await made("/v1/keys", {
      name: "lasting",
      limit: 0.03,
      workspace_id: getProperty(lab, "id")
    })
    await made("/v1/guardrails", { name: "strict", limit_usd: 1, reset_interval: "daily" })
    await made("/v1/byok", { provider: "first", key: "sk-of-a-customer", is_fallback: true })
    const key = String(getProperty(issued, "key"))
    const decided = await call("POST", "/alpha/decisions", decision, key)
    expect(decided.status).toBe(200)
    const id = String(getProperty(decided.body, "id"))
    const seen = await Promise.all(
      [...readOperations, `/v1/generation?id=${id}`].map(
        async (url) => [url, await call("GET", url)] as const
      )
    )
    return { key, id, seen }
  })
  await runInstance(path, upstream, async (call) => {
    for (const [url, answer] of before.seen) {
      expect([url, await call("GET", url)]).toEqual([url, answer])
    }
    const ask = async () => (await call("POST", "/alpha/decisions", decision, before.key)).status
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 402])
  })
})

test("configured credits replace the previous ones at every start", async () => {
  await using upstream = await ScriptedUpstream.start()
  const path = makeDatabasePath()
  const credits = (options?: Partial<Options>) =>
    runInstance(
      path,
      upstream,
      async (call) =>
        getProperty(getProperty((await call("GET", "/v1/credits")).body, "data"), "total_credits"),
      options
    )
  expect([await credits(), await credits()]).toEqual([5, 5])
  expect(await credits({ credits: { default: "7.5" } })).toBe(7.5)
})

const labKey = "sk-proof-key-of-the-lab"

const withLabKey: Partial<Options> = {
  keys: [
    { key: keys.management, kind: "management" },
    { key: labKey, kind: "organization", workspace: "lab" }
  ]
}

const getLabStatus = async (call: Call) =>
  (await call("POST", "/alpha/decisions", decision, labKey)).status

test("a configured key requires its workspace to exist and is bound by the workspace's budget", async () => {
  await using upstream = await ScriptedUpstream.start()
  const path = makeDatabasePath()
  const tooEarly = runInstance(path, upstream, getLabStatus, withLabKey)
  await expect(tooEarly).rejects.toThrow('the account "default" has no workspace "lab"')
  await runInstance(path, upstream, async (call) => {
    await call("POST", "/v1/workspaces", { name: "Lab", slug: "lab" })
    await call("PUT", "/v1/workspaces/lab/budgets/daily", { limit_usd: 0.01 })
  })
  // The failed start stored nothing, so the key belongs to the workspace once that exists.
  const budgeted = runInstance(
    path,
    upstream,
    async (call) => [await getLabStatus(call), await getLabStatus(call)],
    withLabKey
  )
  expect(await budgeted).toEqual([200, 403])
  await runInstance(path, upstream, (call) => call("DELETE", "/v1/workspaces/lab"))
  expect(await runInstance(path, upstream, getLabStatus, withLabKey)).toBe(401)
})

test("a deleted key stays deleted even when it is still configured", async () => {
  await using upstream = await ScriptedUpstream.start()
  const path = makeDatabasePath()
  await runInstance(path, upstream, async (call) => {
    const { body } = await call("GET", "/v1/keys")
    const rows = Object(body).data
    const member = rows.find((key: { readonly name: string }) => key.name === "member")
    expect((await call("DELETE", `/v1/keys/${member.hash}`)).status).toBe(200)
  })
  await runInstance(path, upstream, async (call) => {
    expect((await call("POST", "/alpha/decisions", decision, keys.member)).status).toBe(401)
  })
})

test("a second instance on the same file is rejected with a hint to use Postgres", async () => {
  await using upstream = await ScriptedUpstream.start()
  const path = makeDatabasePath()
  await runInstance(path, upstream, async () => {
    await expect(
      runInstance(path, upstream, () => Promise.resolve(), {
        stores: sqlite({ path, lockWaitMillis: 100 })
      })
    ).rejects.toThrow(/in use by another process.*Postgres/)
  })
  await runInstance(path, upstream, async (call) => {
    expect((await call("GET", "/v1/keys")).status).toBe(200)
  })
})
