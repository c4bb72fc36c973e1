/** The steps of durable jobs that were given up, which operators list. */
import { JobStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { AccountTestServer } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"

describe("steps that were given up", () => {
  test("are listed with their error, by cursor, without what they were to do", async () => {
    await using server = await AccountTestServer.start()
    const { deadLetter } = Context.get(server.instance.context, JobStore)
    for (const id of ["one", "two"]) {
      await Effect.runPromise(
        deadLetter({
          kind: "videos.submit",
          id,
          key: `${id}-submit`,
          payload: { prompt: "a secret" },
          attempts: 3,
          reason: "ReservationLost",
          at: Date.UTC(2026, 10, 1),
          ...(id === "two" ? { offeredAt: Date.UTC(2026, 9, 31) } : undefined)
        })
      )
    }
    const list = (query: string) =>
      server.ask(`/signalbox/dead-steps?limit=1${query}`, "management")
    const latest = await list("")
    expect(latest.body).toEqual({
      data: [
        {
          kind: "videos.submit",
          id: "two",
          attempts: 3,
          reason: "ReservationLost",
          at: "2026-11-01T00:00:00.000Z",
          offered_at: "2026-10-31T00:00:00.000Z"
        }
      ],
      has_more: true,
      next_cursor: expect.any(String)
    })
    const cursor = String(getProperty(latest.body, "next_cursor"))
    expect((await list(`&starting_after=${cursor}`)).body).toMatchObject({
      data: [{ id: "one", offered_at: null }],
      has_more: false
    })
  })
})
