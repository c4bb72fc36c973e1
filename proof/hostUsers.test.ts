import { AccountId, defaultWorkspaceId, NanoUsd, UserId } from "@signalbox/core"
import { type KeyLimit } from "@signalbox/core/stores"
import { expect, test } from "vitest"
import { send } from "./send.ts"
import { request, Stage } from "./Stage.ts"

const cent = { prompt: "0", completion: "0", request: "0.01" }
const twoCents: KeyLimit = { cap: NanoUsd.make(20_000_000n), reset: "daily", includesByok: true }

/** Two users of a host, each with two cents a day of their own, and one without a limit. */
const users = () =>
  Stage.open({
    price: cent,
    authenticate: async (token) => ({
      account: AccountId.make("acme"),
      workspace: defaultWorkspaceId,
      kind: "member",
      user: UserId.make(token),
      ...(token === "free" ? undefined : { limit: twoCents })
    })
  })

const statuses = async (stage: Stage, key: string, count: number) => {
  const all: Array<number> = []
  for (let asked = 0; asked < count; asked++) all.push((await stage.ask(request(), { key })).status)
  return all
}

const told = async (stage: Stage, key: string) => {
  const answer = await send(`${stage.root}/api/v1/key`, {
    method: "GET",
    headers: { authorization: `Bearer ${key}` }
  })
  return Object(answer.body).data
}

test("users of the host's own, without keys, used up each other's limit", async () => {
  await using stage = await users()
  expect(await statuses(stage, "ada", 3)).toEqual([200, 200, 402])
  expect(await statuses(stage, "bob", 3)).toEqual([200, 200, 402])
  expect(await statuses(stage, "free", 3)).toEqual([200, 200, 200])
})

test("a user of the host's own was told of no limit, and of nothing spent", async () => {
  await using stage = await users()
  await statuses(stage, "ada", 1)
  expect(await told(stage, "ada")).toMatchObject({
    limit: 0.02,
    limit_remaining: 0.01,
    limit_reset: "daily",
    include_byok_in_limit: true,
    usage: 0.01,
    usage_daily: 0.01
  })
  expect(await told(stage, "bob")).toMatchObject({ limit: 0.02, limit_remaining: 0.02, usage: 0 })
  expect(await told(stage, "free")).toMatchObject({
    limit: null,
    limit_remaining: null,
    limit_reset: null,
    include_byok_in_limit: false
  })
})

test("a function that lets users in put their tokens into the log", async () => {
  const token = "planted-token-of-a-user"
  await using stage = await Stage.open({
    authenticate: (given) => Promise.reject(new Error(`no session for ${given}`))
  })
  const { status } = await send(`${stage.root}/api/v1/key`, {
    method: "GET",
    headers: { authorization: `Bearer ${token}` }
  })
  expect(status).toBe(500)
  expect(stage.logs.join("\n")).toContain("no session for")
  expect(stage.logs.join("\n")).not.toContain(token)
})
