/** Erasing a person frees nobody else of a limit. */
import { expect, test } from "vitest"
import { keys, makeDecisionRequest, TestServer } from "../support/TestServer.ts"
import { send } from "../support/send.ts"

const price = { prompt: "0", completion: "0", request: "0.01" }

test("erasing an external user who was called like a tag freed the tag of its budget", async () => {
  await using server = await TestServer.start({
    price,
    authenticate: ({ token }) =>
      token === "of-ada" ? { user: "ada", tags: { customer: "acme" } } : undefined
  })
  const manage = (path: string, body: object) =>
    send(`${server.root}/api/v1/signalbox/${path}`, {
      headers: {
        authorization: `Bearer ${keys.management}`,
        "content-type": "application/json"
      },
      body: JSON.stringify(body)
    })
  const ask = async (changes = {}) =>
    (await server.ask(makeDecisionRequest(changes), { key: "of-ada" })).status
  const budget = { limit_usd: 0.015, reset_interval: null }
  await manage("budgets", { scope: { tag: { customer: "acme" } }, ...budget })
  await manage("budgets", { scope: { external_user: "acme" }, ...budget })
  expect(await ask({ user: "acme" })).toBe(200)
  expect(await ask()).toBe(402)
  expect((await manage("people/erase", { external_user: "acme" })).status).toBe(200)
  expect(await ask()).toBe(402)
  const { data } = await server.instance.budgets.list()
  expect(data.map(({ scope }) => scope)).toEqual([{ tag: { customer: "acme" } }])
})
