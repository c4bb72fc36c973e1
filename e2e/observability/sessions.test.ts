/** Lists of sessions: the requests with one `session_id`, altogether. */
import { expect, test } from "vitest"
import { AccountTestServer, otherWorkspaceId } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"

const day = 86_400_000
const odd = "session & 100 % 😀"

test("sessions are summed up within an account and a time, and paged", async () => {
  await using server = await AccountTestServer.start()
  const { instance } = server
  const decide = (session: string, state = "ok") => server.decide({ state, session_id: session })
  await decide(odd)
  await decide(odd, "fail")
  await decide("second")
  await server.decide()
  await instance.decide(
    {
      model: "proof/model",
      state: "ok",
      questions: { urgent: { type: "noul", instructions: "Is it urgent?" } },
      session_id: odd
    },
    { caller: { kind: "member", user: "mem-2", workspace: otherWorkspaceId } }
  )

  const ask = (query: string, key: "foreign" | "management" | "member" = "management") =>
    server.ask(`/signalbox/sessions?${query}`, key)
  const found: Array<unknown> = []
  let after: unknown
  do {
    const { body } = await ask(
      `limit=1${typeof after === "string" ? `&starting_after=${after}` : ""}`
    )
    const rows = getProperty(body, "data")
    expect(rows).toHaveLength(1)
    found.push(...(Array.isArray(rows) ? rows : []))
    after = getProperty(body, "next_cursor")
  } while (after !== undefined)
  expect(found).toMatchObject([
    { id: odd, workspace_id: otherWorkspaceId, requests: 1, failed_requests: 0, users: ["mem-2"] },
    { id: "second", requests: 1, cost: 0.000026, tokens: 12 },
    {
      id: odd,
      requests: 2,
      failed_requests: 1,
      cost: 0.000026,
      tokens: 12,
      models: ["proof/model"],
      model_count: 1,
      users: ["mem-1"],
      user_count: 1,
      external_users: [],
      external_user_count: 0
    }
  ])

  const one = await instance.sessions.list({ session_id: odd, workspace_id: otherWorkspaceId })
  expect(one.data.map(({ requests }) => requests)).toEqual([1])
  const tomorrow = new Date(Date.now() + day).toISOString()
  expect((await instance.sessions.list({ from: tomorrow })).data).toEqual([])
  // The time of one session has no bound.
  const long = new Date(Date.now() - 30 * day).toISOString()
  expect((await instance.sessions.list({ from: long, session_id: odd })).data).toHaveLength(2)
  const tooLong = await ask(`from=${long}`)
  expect([tooLong.status, JSON.stringify(tooLong.body)]).toEqual([
    400,
    expect.stringContaining("at most 7 days")
  ])
  expect((await ask("starting_after=after")).status).toBe(400)
  expect((await ask("", "member")).status).toBe(403)
  expect(getProperty((await ask("", "foreign")).body, "data")).toEqual([])
})
