/** Two boxes on one Postgres, managed through both at once: nothing is left behind, and the audit log is true. */
import { ScriptedUpstream } from "@signalbox/testing"
import { describe, expect, inject, test } from "vitest"
import { property } from "./property.ts"
import { type Answered, type Asked, sharedBox } from "./sharedBox.ts"

const open = async () => {
  const upstream = await ScriptedUpstream.start()
  const meeting = {
    database: { url: inject("postgresUrl"), schema: `proof-${crypto.randomUUID()}` },
    upstream: upstream.url
  }
  const boxes = [await sharedBox(meeting), await sharedBox(meeting)]
  let turn = 0
  return {
    /** Each request through the other box. */
    ask: (method: string, path: string, body?: unknown, asked?: Partial<Asked>) =>
      boxes[turn++ % 2]!.ask({ method, url: `/v1${path}`, body, ...asked }),
    [Symbol.asyncDispose]: async () => {
      for (const box of boxes) await box.close()
      await upstream.close()
    }
  }
}

const data = ({ body }: Answered): unknown => property(body, "data")
const listed = (answered: Answered): ReadonlyArray<unknown> => {
  const rows = data(answered)
  return Array.isArray(rows) ? rows : []
}
const idOf = (answered: Answered): string => String(property(data(answered), "id"))
const hashOf = (answered: Answered): string => String(property(data(answered), "hash"))

const rounds = Array.from({ length: 12 }, (_, round) => round)

test("what is made in a workspace while it is deleted is refused, or goes with it", async () => {
  await using world = await open()
  const { ask } = world
  const left: Array<string> = []
  const refused: Array<number> = []
  for (const round of rounds) {
    const workspace_id = idOf(await ask("POST", "/workspaces", { name: "w", slug: `w-${round}` }))
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
    const kept = [
      `/keys/${hashOf(key)}`,
      `/guardrails/${idOf(guardrail)}`,
      `/byok/${idOf(credential)}`
    ]
    for (const path of kept) if ((await ask("GET", path)).status !== 404) left.push(path)
    if (key.status !== 201) continue
    const opened = await ask("GET", "/key", undefined, {
      key: String(property(key.body, "key"))
    })
    expect(opened.status).toBe(401)
  }
  expect(left).toEqual([])
  expect(refused.filter((status) => status >= 500)).toEqual([])
})

test("a guardrail that is assigned to a key while it is deleted goes with it", async () => {
  await using world = await open()
  const { ask } = world
  const guardrail = idOf(await ask("POST", "/guardrails", { name: "g" }))
  for (const _ of rounds) {
    const hash = hashOf(await ask("POST", "/keys", { name: "k" }))
    const [assigned, deleted] = await Promise.all([
      ask("POST", `/guardrails/${guardrail}/assignments/keys`, { key_hashes: [hash] }),
      ask("DELETE", `/keys/${hash}`)
    ])
    expect([200, 400]).toContain(assigned.status)
    expect(deleted.status).toBe(200)
    expect(listed(await ask("GET", "/guardrails/assignments/keys"))).toEqual([])
  }
})

describe("an entry of the audit log begins where the one before it ended", () => {
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
    await using world = await open()
    const { ask } = world
    const workspace = data(await ask("GET", "/workspaces/default"))
    const target = path(String(property(workspace, "default_guardrail_id")))
    const answers = await Promise.all(rounds.map((round) => ask("PATCH", target, change(round))))
    expect(answers.map(({ status }) => status)).toEqual(rounds.map(() => 200))
    const entries = listed(await ask("GET", "/signalbox/audit?limit=100"))
      .filter((entry) => property(entry, "action") === action)
      .toReversed()
    expect(entries).toHaveLength(rounds.length)
    const ends = entries.map((entry) => property(entry, "after"))
    const begins = entries.map((entry) => property(entry, "before"))
    expect(begins.slice(1)).toEqual(ends.slice(0, -1))
  })
})
