/** Budgets hold for images: exact bounds are reserved, and only whole images are charged. */
import { defaultAccountId } from "@signalbox/core"
import { Ledger } from "@signalbox/core/adapter"
import { postgres, sqlite } from "@signalbox/sql"
import { fault, pace, reply } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { describe, expect, inject, test, vi } from "vitest"
import { startImageServer } from "./startImageServer.ts"

type Server = Awaited<ReturnType<typeof startImageServer>>

/** The settled and reserved amounts, in cents. */
const getCredits = async ({ instance }: Server) => {
  const credits = await Effect.runPromise(
    Context.get(instance.context, Ledger).findCredits(defaultAccountId)
  )
  return {
    settled: Number(credits?.settled) / 1e7,
    reserved: Number(credits?.reserved) / 1e7
  }
}

const onlyFirst = { provider: { only: ["first"] } }

const stores = [
  ["memory", () => ({})],
  ["SQLite", () => ({ stores: sqlite({ path: ":memory:" }) })],
  [
    "Postgres",
    () => ({
      stores: postgres({ url: inject("postgresUrl"), schema: `images-${crypto.randomUUID()}` })
    })
  ]
] as const

describe.each(stores)("a budget in %s", (_, makeStores) => {
  test("is never overspent by twenty requests at once", async () => {
    // Five requests of two images at four cents each.
    const server = await startImageServer({ credits: { default: "0.4" }, ...makeStores() })
    const { first, paint } = server
    const gate = first.gate()
    first.always(pace.hold(gate, "request_body", reply.images({ size: "1024x1024" })))
    let left = 15
    const refused = Promise.withResolvers<void>()
    const all = Promise.all(
      Array.from({ length: 20 }, async () => {
        const { status } = await paint({ ...onlyFirst, n: 2 })
        if (status === 402 && --left === 0) refused.resolve()
        return status
      })
    )
    await Promise.all([first.waitForRequests(5), refused.promise])
    expect(await getCredits(server)).toEqual({ settled: 0, reserved: 40 })
    gate.open()
    const statuses = await all
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(await getCredits(server)).toEqual({ settled: 40, reserved: 0 })
    expect(first.requests).toHaveLength(5)
  })

  test("is not charged for failed generations, nor for clients that leave", async () => {
    const server = await startImageServer({ credits: { default: "1" }, ...makeStores() })
    const { first, paint } = server
    first.script(fault.status(500), fault.drop(), fault.flawedImages("not_base64"))
    for (const _ of [1, 2, 3]) expect((await paint(onlyFirst)).status).toBe(502)
    expect(await getCredits(server)).toEqual({ settled: 0, reserved: 0 })
    const gate = first.gate()
    for (const stream of [false, true]) {
      first.always(
        stream
          ? reply.images({ beforeImages: gate })
          : pace.hold(gate, "request_body", reply.images())
      )
      const leaving = new AbortController()
      const sent = first.requests.length
      const left = server.post(
        "/images",
        { model: "proof/paint", prompt: "A lighthouse", stream, ...onlyFirst },
        { signal: leaving.signal }
      )
      await first.waitForRequests(sent + 1)
      leaving.abort()
      await expect(left).rejects.toThrow(/abort/i)
      await first.waitForAborts(stream ? 2 : 1)
    }
    await vi.waitFor(async () =>
      expect(await getCredits(server)).toEqual({ settled: 0, reserved: 0 })
    )
  })
})

describe("reservations", () => {
  test("cover the dearest image that the caller leaves to the provider", async () => {
    const prices = [
      { billable: "output_image", unit: "image", usd: "0.01", variant: "low" },
      { billable: "output_image", unit: "image", usd: "0.2", variant: "high" }
    ] as const
    const { first, paint } = await startImageServer({
      credits: { default: "0.1" },
      first: { prices },
      second: { prices }
    })
    first.always(reply.images({ size: "1024x1024", quality: "low" }))
    expect((await paint(onlyFirst)).status).toBe(402)
    expect((await paint({ ...onlyFirst, quality: "low" })).body).toMatchObject({
      usage: { cost: 0.01 }
    })
  })

  test("refuse an endpoint whose price is unknown", async () => {
    const { paint } = await startImageServer({
      credits: { default: "1" },
      first: {
        prices: [{ billable: "input_reference", unit: "megapixel", usd: "0.01" }]
      }
    })
    const url = "https://images.example/lighthouse.png"
    const answer = await paint({
      ...onlyFirst,
      input_references: [{ type: "image_url", image_url: { url } }]
    })
    expect(answer.status).toBe(404)
    expect(answer.text).toContain("price")
  })
})
