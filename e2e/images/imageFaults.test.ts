/** The failures of providers, for images: another endpoint serves, and nobody pays for what failed. */
import { fault, reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { failoverScenarios, timeoutScenarios } from "../routing/failoverScenarios.ts"
import { getProperty } from "../support/getProperty.ts"
import { startImageServer } from "./startImageServer.ts"

/** Those of chats and Decisions alone are left out. */
const scenarios = failoverScenarios
  .filter(({ name }) => !/^(?:13. answer cut|15)/.test(name))
  .concat({
    name: "15. refusal",
    step: fault.refusal("filter"),
    kind: "content_refused",
    answered: 400,
    alone: 400,
    isFinal: true
  })

describe.each([...scenarios, ...timeoutScenarios])("$name", (scenario) => {
  const { alone, isFinal = false, kind, retryAfter, server, step } = scenario

  test("is answered by another endpoint, unless the request is at fault", async () => {
    const { first, get, paint } = await startImageServer({
      ...(server?.tls === undefined ? undefined : { tls: server.tls }),
      ...(server?.toFirstUrl === undefined ? undefined : { toFirstUrl: server.toFirstUrl }),
      credits: { default: "1" },
      // Half of it is for the second provider.
      settings: { imageTimeoutMillis: 6_000 }
    })
    if (step !== undefined) first.always(step)
    const passed = await paint()
    expect(passed).toMatchObject(
      isFinal
        ? { status: alone }
        : { status: 200, body: { provider: "second", usage: { cost: 0.05 } } }
    )
    const record = await get(`/generation?id=${passed.headers["x-generation-id"]}`)
    expect(getProperty(record.body, "data")).toMatchObject({ total_cost: isFinal ? 0 : 0.05 })
    const stopped = await paint({ provider: { only: ["first"] } })
    expect(stopped.status).toBe(alone)
    expect(stopped.headers["retry-after"]).toBe(retryAfter)
    expect(stopped.text).toContain(kind)
    const failed = await get(`/generation?id=${stopped.headers["x-generation-id"]}`)
    expect(getProperty(failed.body, "data")).toMatchObject({ total_cost: 0 })
  })
})

test("16. a client that leaves a stream ends the call at the provider", async () => {
  const { first, post } = await startImageServer({ credits: { default: "1" } })
  first.always(reply.images({ beforeImages: first.gate() }))
  const leaving = new AbortController()
  const left = post(
    "/images/generations",
    { model: "proof/paint", prompt: "A lighthouse", stream: true, provider: { only: ["first"] } },
    { signal: leaving.signal }
  )
  await first.waitForRequests(1)
  leaving.abort()
  await expect(left).rejects.toThrow(/abort/i)
  await first.waitForAborts(1)
})
