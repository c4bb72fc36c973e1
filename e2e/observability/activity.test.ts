/** The activity of an account by day, as the reference client reads it. */
import { expect, test } from "vitest"
import { AccountTestServer, accountKeys } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"
import { makeClient } from "../support/makeClient.ts"

const today = () => new Date().toISOString().slice(0, 10)

test("the reference client reads what each endpoint answered on a day", async () => {
  await using server = await AccountTestServer.start()
  for (let n = 0; n < 3; n++) await server.decide()
  await server.decide({ state: "fail" })
  // A day may end between the requests and the question.
  const items = await Promise.all(
    [today(), new Date(Date.now() - 60_000).toISOString().slice(0, 10)]
      .filter((date, index, all) => all.indexOf(date) === index)
      .map((date) => makeClient(server, accountKeys.management).analytics.getUserActivity({ date }))
  )
  expect(items.flatMap(({ data }) => data)).toMatchObject([
    {
      date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      endpointId: "proof/model@first",
      model: "proof/model",
      modelPermaslug: "proof/model",
      providerName: "First",
      requests: 3,
      promptTokens: 30,
      completionTokens: 6,
      reasoningTokens: 0,
      usage: 78e-6,
      byokUsageInference: 0
    }
  ])
  expect((await server.ask("/activity", "member")).status).toBe(403)
  expect((await server.ask(`/activity?date=${today()}`, "foreign")).body).toEqual({ data: [] })
})

test.each([
  ["date=2020-01-01", "date: must be one of the last 30 days in UTC"],
  ["date=yesterday", "date: must be one of the last 30 days in UTC"],
  ["api_key_hash=a", "api_key_hash: is not supported"],
  ["group_by=workspace", "group_by: is not supported"]
])("activity is refused for %s", async (query, message) => {
  await using server = await AccountTestServer.start()
  const { body, status } = await server.ask(`/activity?${query}`, "management")
  expect(status).toBe(400)
  expect(getProperty(getProperty(body, "error"), "message")).toContain(message)
})
