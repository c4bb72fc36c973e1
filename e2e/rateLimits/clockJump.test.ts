/** The system clock jumps: no key waits for its window until the clock is where it was. */
import { Signalbox } from "@signalbox/node"
import { expect, onTestFinished, test } from "vitest"
import { nodeHost } from "../support/hosts.ts"
import { jumpClock } from "../support/jumpClock.ts"
import { send } from "../support/send.ts"

const dayMillis = 86_400_000

test.each([
  ["forward", dayMillis],
  ["back", -dayMillis]
])("a clock that jumps a day %s neither opens nor extends a window", async (_, jump) => {
  const instance = await Signalbox.make({
    upstreams: [],
    models: [],
    settings: { rateLimit: { requests: 1, windowMillis: 600_000 } },
    keys: [{ key: "sk-rate-clock-member-02f1", kind: "member", user: "mem-1" }]
  })
  const host = await nodeHost.start(instance, "")
  onTestFinished(async () => {
    await host.close()
    await instance.close()
  })
  const ask = () =>
    send(`${host.origin}/api/v1/key`, {
      method: "GET",
      headers: { authorization: "Bearer sk-rate-clock-member-02f1" }
    })
  expect((await ask()).status).toBe(200)
  jumpClock(jump)
  const { headers, status } = await ask()
  expect(status).toBe(429)
  expect(Number(headers["retry-after"])).toBeLessThanOrEqual(600)
})
