/** Concurrent management through two instances on one Postgres leaves no orphans and a consistent audit log. */
import { ScriptedUpstream } from "@signalbox/testing"
import { describe, expect, inject, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import {
  type InstanceResponse,
  type InstanceRequest,
  makeSharedInstance
} from "../support/makeSharedInstance.ts"

const startInstances = async () => {
  const upstream = await ScriptedUpstream.start()
  const config = {
    database: { url: inject("postgresUrl"), schema: `proof-${crypto.randomUUID()}` },
    upstream: upstream.url
  }
  const instances = [await makeSharedInstance(config), await makeSharedInstance(config)]
  let turn = 0
  return {
    /** Requests alternate between the instances. */
    ask: (method: string, path: string, body?: unknown, requested?: Partial<InstanceRequest>) =>
      instances[turn++ % 2]!.ask({ method, url: `/v1${path}`, body, ...requested }),
    [Symbol.asyncDispose]: async () => {
      for (const instance of instances) await instance.close()
      await upstream.close()
    }
  }
}

const getData = ({ body }: InstanceResponse): unknown => getProperty(body, "data")
const toRows = (responses: InstanceResponse): ReadonlyArray<unknown> => {
  const rows = getData(responses)
  return Array.isArray(rows) ? rows : []
}
const getId = (responses: InstanceResponse): string => String(getProperty(getData(responses), "id"))
const getHash = (responses: InstanceResponse): string =>
  String(getProperty(getData(responses), "hash"))

const rounds = Array.from({ length: 12 }, (_, round) => round)

test("a resource created during the deletion of its workspace is rejected or deleted with it", async () => {
  await using instances = await startInstances()
  const { ask } = instances
  const left: Array<string> = []
  const refused: Array<number> = []
  for (const round of rounds) {
    const workspace_id = getId(await ask("POST", "/workspaces", { name: "w", slug: `w-${round}` }))
    const [key, guardrail, credential, ...others] = await Promise.all([
      ask("POST", "/keys", { name: "late", workspace_id }),
      ask("POST", "/guardrails", { name: "late", workspace_id }),
      ask("POST", "/byok", { provider: "first", key: "sk-something-else", workspace_id }),
      ask("PUT", `/signalbox/workspaces/${workspace_id}/webhook`, {
        callback_url: "https://1.1.1.1/x"
      }),
      ask("POST", `/workspaces/${workspace_id}/members/add`, { user_ids: ["u"] }),
      ask("DELETE", `/workspaces/${workspace_id}`)
    ])
    refused.push(...[key, guardrail, credential, ...others].map(({ status }) => status))
    const remaining = [
      `/keys/${getHash(key)}`,
      `/guardrails/${getId(guardrail)}`,
      `/byok/${getId(credential)}`
    ]
    for (const path of remaining) if ((await ask("GET", path)).status !== 404) left.push(path)
    if (key.status !== 201) continue
    const opened = await ask("GET", "/key", undefined, {
      key: String(getProperty(key.body, "key"))
    })
    expect(opened.status).toBe(401)
  }
  expect(left).toEqual([])
  expect(refused.filter((status) => status >= 500)).toEqual([])
})

test("a guardrail assigned to a key during the key's deletion loses the assignment", async () => {
  await using instances = await startInstances()
  const { ask } = instances
  const guardrail = getId(await ask("POST", "/guardrails", { name: "g" }))
  for (const _ of rounds) {
    const hash = getHash(await ask("POST", "/keys", { name: "k" }))
    const [assigned, deleted] = await Promise.all([
      ask("POST", `/guardrails/${guardrail}/assignments/keys`, { key_hashes: [hash] }),
      ask("DELETE", `/keys/${hash}`)
    ])
    expect([200, 400]).toContain(assigned.status)
    expect(deleted.status).toBe(200)
    expect(toRows(await ask("GET", "/guardrails/assignments/keys"))).toEqual([])
  }
})

describe("an audit entry of concurrent changes starts from the result of the previous one", () => {
  test.each([
    {
      action: "account.update",
      path: () => "/signalbox/account",
      change: (round: number) => ({ ignore: [`provider-${round}`] })
    },
    {
      action: "guardrail.update",
      path: (id: string) => `/guardrails/${id}`,
      change: (round: number) => ({ description: `${round}` })
    }
  ])("for $action", async ({ action, change, path }) => {
    await using instances = await startInstances()
    const { ask } = instances
    const workspace = getData(await ask("GET", "/workspaces/default"))
    const target = path(String(getProperty(workspace, "default_guardrail_id")))
    const answers = await Promise.all(rounds.map((round) => ask("PATCH", target, change(round))))
    expect(answers.map(({ status }) => status)).toEqual(rounds.map(() => 200))
    const entries = toRows(await ask("GET", "/signalbox/audit?limit=100"))
      .filter((entry) => getProperty(entry, "action") === action)
      .toReversed()
    expect(entries).toHaveLength(rounds.length)
    const ends = entries.map((entry) => getProperty(entry, "after"))
    const begins = entries.map((entry) => getProperty(entry, "before"))
    expect(begins.slice(1)).toEqual(ends.slice(0, -1))
  })
})
