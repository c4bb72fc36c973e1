/** Processes on one Postgres share the work on videos, and one takes over the jobs of another that died. */
import { setTimeout as sleep } from "node:timers/promises"
import { pace } from "@signalbox/testing"
import { expect, inject, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { makeVideoProcesses } from "../crash/makeVideoProcesses.ts"

const throwError = (): never => {
  throw new Error("there is no provider")
}

test("two processes share jobs, and one completes the jobs of the other after that is killed", async () => {
  const processes = await makeVideoProcesses({
    credits: "100",
    postgresUrl: inject("postgresUrl"),
    // The defaults, except for fewer concurrent polls per process and fast retries of webhooks.
    settings: { videoConcurrency: 3, webhookRetryMillis: [1] }
  })
  try {
    const { left, receiver, start, upstreams } = processes
    const [upstream = throwError()] = upstreams
    const countRequests = (process: string, what: "POST" | "GET") =>
      upstream.requests.filter(
        ({ headers, method }) =>
          method === what && headers["authorization"] === `Bearer sk-of-${process}`
      ).length
    const polls = upstream.gate()
    const submits = upstream.gate()
    upstream.when(({ method }) => method === "GET").always(pace.hold(polls))
    const one = await start("one")
    const two = await start("two")
    const ids: Array<string> = []
    const submit = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const { body, status } = await (n % 2 === 0 ? one : two).submit(`job-${ids.length}`)
        expect(status).toBe(202)
        ids.push(String(getProperty(body, "id")))
      }
    }
    const minRequests = (what: "POST" | "GET") =>
      Math.min(countRequests("one", what), countRequests("two", what))

    await submit(12)
    await expect.poll(() => minRequests("GET"), { timeout: 240_000 }).toBeGreaterThan(0)
    expect(minRequests("POST")).toBeGreaterThan(0)
    const before = [countRequests("one", "POST"), countRequests("two", "POST")]
    // The provider accepts the jobs, but its responses are held back.
    upstream.when(({ method }) => method === "POST").always(pace.hold(submits, "response_headers"))
    await submit(4)
    await expect.poll(() => countRequests("one", "POST")).toBeGreaterThan(before[0] ?? 0)
    await expect.poll(() => upstream.videos.jobs.length).toBe(16)

    await one.kill()
    polls.open()
    submits.open()
    const open = new Set(ids)
    while (open.size > 0) {
      await sleep(100)
      for (const id of open) {
        const { body } = await two.ask(`/videos/${id}`)
        if (getProperty(body, "status") === "completed") open.delete(id)
      }
    }

    await expect.poll(async () => (await left()).steps, { timeout: 240_000 }).toBe(0)
    const { deliveries, generations, ...rest } = await left()
    expect(rest).toEqual({
      settled: 6_400_000_000n,
      spent: 6_400_000_000n,
      reserved: 0n,
      reservations: 0,
      jobs: 16,
      steps: 0,
      dead: 0
    })
    expect(generations.toSorted()).toEqual(ids.toSorted())
    expect(deliveries).toEqual(ids.map(() => "delivered"))
    expect(upstream.videos.jobs).toHaveLength(16)
    expect(new Set(upstream.videos.jobs.map((job) => job.idempotencyKey))).toEqual(new Set(ids))
    const accepted = receiver.events
      .filter(({ isAccepted }) => isAccepted)
      .map(({ event }) => event)
    expect(accepted.toSorted()).toEqual(ids.map((id) => `${id}-completed`).toSorted())
  } finally {
    await processes.close()
  }
})
