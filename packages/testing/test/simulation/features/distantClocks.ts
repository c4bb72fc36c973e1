/** A process whose system clock is an hour ahead or behind, and answers that are cached for some seconds. */
import { asks, pickProcess } from "../questions.ts"
import { lastRequestAt } from "../script.ts"
import { tenants } from "../Tenant.ts"
import type { Feature } from "./Feature.ts"

export const cacheTtlSeconds = 5

export const distantClocks: Feature = {
  share: 0.1,
  prepare: (world) => {
    world.clockOffsets = [0, world.chance.pick([-1, 1]) * 3_600_000]
    return Promise.resolve()
  },
  plan: (world) => {
    const { chance, client, director } = world
    const tenant = chance.pick(tenants)
    for (let requests = chance.between(6, 10); requests > 0; requests--) {
      director.schedule(chance.between(3_000, lastRequestAt), "asks what is cached", () => {
        const process = pickProcess(world)
        if (process === undefined) return
        client.send(process, () => ({
          ...asks(tenant.open, "cached", tenant),
          path: "/chat/completions",
          headers: {
            "x-openrouter-cache": "true",
            "x-openrouter-cache-ttl": String(cacheTtlSeconds)
          },
          body: {
            model: "sim/free",
            messages: [{ role: "user", content: "what time is it?" }]
          }
        }))
      })
    }
  }
}
