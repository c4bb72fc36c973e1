/** What ends is recorded, although no request waits for its record. */
import { describe, expect, test } from "vitest"
import { requestBody, startInstance } from "./startInstance.ts"

const request = JSON.parse(requestBody)

const countMetric = (text: string): number =>
  Number(/^signalbox_requests_total\{.*\} (\d+)$/m.exec(text)?.[1] ?? 0)

describe("records", () => {
  test("are kept and counted for 10,000 calls that let no timer run", async () => {
    const { instance } = await startInstance()
    const calls = 10_000
    for (let call = 0; call < calls; call++) await instance.decide(request)
    expect(countMetric(await instance.metrics())).toBe(calls)
    const { data } = await instance.analytics.query({
      metrics: ["request_count"],
      granularity: "day"
    })
    expect(data.data).toMatchObject([{ request_count: calls }])
    let listed = 0
    for await (const _ of instance.recording()) listed += 1
    expect(listed).toBe(calls)
  })

  test("are found by the next call", async () => {
    const { instance } = await startInstance()
    for (let call = 0; call < 3; call++) {
      const { id } = await instance.decide(request)
      expect((await instance.generations.get({ id: id ?? "" })).data.id).toBe(id)
    }
  })

  test("are broadcast when the instance is closed right after an answer", async () => {
    const seen: Array<string> = []
    const { instance } = await startInstance({ broadcast: [({ id }) => void seen.push(id)] })
    const { id } = await instance.decide(request)
    await instance.close()
    expect(seen).toEqual([id])
  })
})
