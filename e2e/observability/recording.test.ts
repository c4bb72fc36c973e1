/** The recording of traffic, which operators export for simulations. */
import { type RecordedRequest, simulate } from "@signalbox/core/simulator"
import { leastLatency } from "@signalbox/core"
import { describe, expect, test } from "vitest"
import { AccountTestServer } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"

const path = "/signalbox/recording"

describe("a recording", () => {
  test("has times, lengths and outcomes of all requests, oldest first, by cursor", async () => {
    await using server = await AccountTestServer.start()
    await server.decide({ state: "a confidential text", session_id: "s-1" })
    await server.decide({ state: "fail" })
    await server.decide({ model: "proof/unknown" })
    const first = await server.ask(`${path}?limit=1`, "management")
    expect([first.status, first.body]).toEqual([
      200,
      {
        data: [
          {
            at: expect.any(Number),
            model: "proof/model",
            prompt_tokens: 10,
            completion_tokens: 2,
            attempts: [
              {
                endpoint: "proof/model@first",
                at: expect.any(Number),
                status: 200,
                whole_ms: expect.any(Number)
              }
            ]
          }
        ],
        has_more: true,
        next_cursor: expect.any(String)
      }
    ])
    const cursor = String(getProperty(first.body, "next_cursor"))
    const second = await server.ask(`${path}?starting_after=${cursor}`, "management")
    expect(second.body).toMatchObject({
      data: [
        {
          model: "proof/model",
          attempts: [{ endpoint: "proof/model@first", status: 503, kind: "server_error" }]
        }
      ],
      has_more: false
    })
    expect(first.text + second.text).not.toMatch(/confidential|s-1|mem-1|default/)
  })

  test("is for management keys of the host, and begins at the time asked for", async () => {
    await using server = await AccountTestServer.start()
    await server.decide()
    expect((await server.ask(path, "member")).status).toBe(403)
    expect((await server.ask(path, "foreign")).status).toBe(403)
    const later = await server.ask(`${path}?since=2999-01-01`, "management")
    expect(later.body).toEqual({ data: [], has_more: false })
    expect((await server.ask(`${path}?since=today`, "management")).status).toBe(400)
  })

  test("is iterated in process, and a simulation takes it", async () => {
    await using server = await AccountTestServer.start()
    for (const state of ["one", "fail", "two"]) await server.decide({ state })
    const recording: Array<RecordedRequest> = []
    for await (const request of server.instance.recording(new Date(0))) recording.push(request)
    expect(recording.map(({ attempts }) => attempts.map(({ status }) => status))).toEqual([
      [200],
      [503],
      [200]
    ])
    const report = simulate({
      recording,
      models: [
        { id: "proof/model", endpoints: [{ provider: "first", price: { prompt: "1e-6" } }] }
      ],
      strategy: leastLatency()
    })
    expect(report).toMatchObject({ requests: 3, shares: { "proof/model@first": 1 } })
  })
})
