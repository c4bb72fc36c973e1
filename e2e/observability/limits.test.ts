/** Every spend limit with what is settled and reserved under it, which a console shows. */
import { createHash } from "node:crypto"
import { defaultAccountId } from "@signalbox/core"
import { Ledger } from "@signalbox/core/adapter"
import { NanoUsd } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { AccountTestServer, accountKeys, otherWorkspaceId } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"

const list = async (
  server: AccountTestServer,
  query = "",
  key: keyof typeof accountKeys = "management"
) => {
  const { body, status } = await server.ask(`/signalbox/limits${query}`, key)
  expect(status).toBe(200)
  return body
}

const change = async (server: AccountTestServer, method: string, path: string, body: unknown) => {
  const answer = await server.ask(path, "management", method, body)
  expect(answer.status).toBeLessThan(300)
  return String(getProperty(getProperty(answer.body, "data"), "id"))
}

const memberHash = createHash("sha256").update(accountKeys.member).digest("hex")
const defaultWorkspaceId = "00000000-0000-4000-8000-000000000000"
const cost = 26e-6

describe("the spend limits of an account", () => {
  test("have what was spent since their interval began, of whose spending they restrict", async () => {
    await using server = await AccountTestServer.start({ credits: { default: "10" } })
    await server.decide()
    await change(server, "PUT", `/workspaces/${otherWorkspaceId}/budgets/weekly`, { limit_usd: 5 })
    await change(server, "PUT", `/workspaces/${defaultWorkspaceId}/budgets/lifetime`, {
      limit_usd: 7
    })
    await change(server, "PATCH", `/keys/${memberHash}`, { limit: 3, limit_reset: "daily" })
    const guardrail = await change(server, "POST", "/guardrails", {
      name: "few",
      workspace_id: defaultWorkspaceId,
      limit_usd: 2,
      reset_interval: "monthly"
    })
    await change(server, "POST", `/guardrails/${guardrail}/assignments/members`, {
      member_user_ids: ["mem-1", "mem-9"]
    })

    const credits = { kind: "credits", name: null, limit: 10, settled: cost, resets_at: null }
    const lifetime = {
      kind: "workspace",
      workspace_id: defaultWorkspaceId,
      interval: "lifetime",
      limit: 7,
      settled: cost,
      reserved: 0,
      remaining: 7 - cost
    }
    const weekly = {
      kind: "workspace",
      workspace_id: otherWorkspaceId,
      interval: "weekly",
      resets_at: expect.stringMatching(/T00:00:00\.000Z$/),
      settled: 0
    }
    expect(getProperty(await list(server), "data")).toEqual([
      expect.objectContaining(credits),
      expect.objectContaining(lifetime),
      expect.objectContaining(weekly)
    ])

    const few = { kind: "guardrail", name: "few", guardrail_id: guardrail, limit: 2 }
    expect(getProperty(await list(server, "?holder=key"), "data")).toEqual([
      expect.objectContaining({
        kind: "key",
        key_hash: memberHash,
        key_name: "member",
        interval: "daily",
        limit: 3,
        settled: cost
      }),
      // The guardrail belongs to the user, so both the key and its user count.
      expect.objectContaining({ ...few, key_hash: memberHash, user_id: null, settled: cost }),
      expect.objectContaining({ ...few, key_hash: null, user_id: "mem-1", settled: cost })
    ])
    expect(getProperty(await list(server, "?holder=member"), "data")).toEqual([
      expect.objectContaining({ ...few, user_id: "mem-1", settled: cost }),
      expect.objectContaining({ ...few, user_id: "mem-9", settled: 0 })
    ])
  })

  test("have what is set aside for requests in progress", async () => {
    await using server = await AccountTestServer.start({ credits: { default: "10" } })
    const ledger = Context.get(server.instance.context, Ledger)
    const reservation = await Effect.runPromise(
      Effect.flatMap(ledger.listCreditLimits(defaultAccountId), (limits) =>
        ledger.reserve(defaultAccountId, limits, NanoUsd.make(4_000_000_000n))
      )
    )
    expect(await list(server)).toMatchObject({
      data: [{ kind: "credits", limit: 10, settled: 0, reserved: 4, remaining: 6 }]
    })
    await Effect.runPromise(reservation.settle(NanoUsd.make(1_000_000_000n)))
    expect(await list(server)).toMatchObject({
      data: [{ settled: 1, reserved: 0, remaining: 9 }]
    })
  })

  test("are paged, and skip holders without a limit", async () => {
    await using server = await AccountTestServer.start()
    await change(server, "PUT", `/workspaces/${defaultWorkspaceId}/budgets/daily`, { limit_usd: 1 })
    await change(server, "PUT", `/workspaces/${otherWorkspaceId}/budgets/daily`, { limit_usd: 1 })
    const first = await list(server, "?limit=1")
    expect(first).toMatchObject({ data: [{ workspace_id: defaultWorkspaceId }], has_more: true })
    const second = await list(
      server,
      `?limit=1&starting_after=${String(getProperty(first, "next_cursor"))}`
    )
    expect(second).toMatchObject({ data: [{ workspace_id: otherWorkspaceId }], has_more: false })

    // The keys before it have none.
    const other = createHash("sha256").update(accountKeys.otherWorkspace).digest("hex")
    await change(server, "PATCH", `/keys/${other}`, { limit: 1 })
    expect(await list(server, "?holder=key&limit=1")).toMatchObject({ data: [{ key_hash: other }] })
  })

  test("are those of the caller's own account, and for management keys", async () => {
    await using server = await AccountTestServer.start({ credits: { default: "10" } })
    expect(getProperty(await list(server, "", "foreign"), "data")).toEqual([])
    expect((await server.ask("/signalbox/limits", "member")).status).toBe(403)
  })
})
