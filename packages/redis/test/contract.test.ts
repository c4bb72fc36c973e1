import { RateLimitStoreContract, ResponseCacheStoreContract } from "@signalbox/testing/contracts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { afterAll, describe } from "vitest"
import { redisRateLimits } from "../src/redisRateLimits.ts"
import { redisResponseCache } from "../src/redisResponseCache.ts"
import { isRedisInstalled, RedisServer } from "./redisServer.ts"

const server = isRedisInstalled ? await RedisServer.start() : undefined
afterAll(() => server?.kill())

const store = () => redisRateLimits({ url: server?.url ?? "redis://localhost" })

describe.skipIf(server === undefined)("on redis-server, if installed", () => {
  RateLimitStoreContract("on Redis", Layer.suspend(store), {
    advanceTime: (millis) => TestClock.withLive(Effect.sleep(millis)),
    other: Layer.suspend(store)
  })
  ResponseCacheStoreContract(
    "on Redis",
    Layer.suspend(() => redisResponseCache({ url: server?.url ?? "redis://localhost" }))
  )
})
