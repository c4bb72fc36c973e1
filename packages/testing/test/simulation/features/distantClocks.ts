/**
 * A process whose system clock is an hour ahead or behind, answers that are cached for some seconds, and limits of a day that
 * has just begun, so that it is still the day before by a clock that is behind.
 */
import { asks, makeChat, pickProcess } from "../questions.ts"
import { lastRequestAt } from "../script.ts"
import { keyLimitNano, type Tenant, tenants } from "../Tenant.ts"
import type { Feature } from "./Feature.ts"

export const cacheTtlSeconds = 5

/** A key whose limit resets daily. */
export const dailyKey = ({ account }: Tenant): string => `sk-${account}-daily`

export const distantClocks: Feature = {
  share: 0.1,
  options: {
    keys: tenants.map((tenant) => ({
      key: dailyKey(tenant),
      kind: "organization" as const,
      account: tenant.account,
      limit: Number(keyLimitNano) / 1e9,
      limitReset: "daily" as const
    })),
    // Where worlds begin at midnight.
    settings: { limitTimeZone: "Pacific/Kwajalein" }
  },
  prepare: (world) => {
    world.clockOffsets = [0, world.chance.pick([-1, 1]) * 3_600_000]
    return Promise.resolve()
  },
  plan: (world) => {
    const { chance, client, director } = world
    const tenant = chance.pick(tenants)
    const rushAt = chance.between(3_000, lastRequestAt)
    for (let size = chance.between(4, 8); size > 0; size--) {
      director.schedule(rushAt + chance.between(0, 20), "asks by the day", () => {
        const process = pickProcess(world)
        if (process === undefined) return
        client.send(process, (id) => makeChat(world, tenant, id, dailyKey(tenant)))
      })
    }
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
