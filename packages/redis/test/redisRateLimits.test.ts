import { inspect } from "node:util"
import { createClient } from "@redis/client"
import { RateLimitStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { assert, describe, expect, it } from "vitest"
import { redisRateLimits, type RedisRateLimitsOptions } from "../src/redisRateLimits.ts"
import { isRedisInstalled, RedisServer } from "./redisServer.ts"

const limit = { requests: 2, windowMillis: 60_000 }

/** Opens a store like a process of its own. */
const open = async (options: RedisRateLimitsOptions) => {
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(Layer.buildWithScope(redisRateLimits(options), scope))
  const { take } = Context.get(context, RateLimitStore)
  return {
    /** Resolves to the time to wait or the problem. */
    take: (key: string) =>
      Effect.runPromise(
        take(key, limit).pipe(
          Effect.catch(({ problem }) => Effect.succeed(problem)),
          Effect.timeoutOrElse({ duration: 1_000, orElse: () => Effect.succeed("no reply") })
        )
      ),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const seconds = (count: number) => ({ timeout: count * 1000, interval: 50 })

describe("redisRateLimits", () => {
  it.each([undefined, "redis://localhost", {}, { uri: "redis://localhost" }])(
    "rejects the options %j",
    (options) => {
      const open = () => redisRateLimits(options as RedisRateLimitsOptions)
      expect(open).toThrow(RangeError)
      expect(open).toThrow(/^redisRateLimits.*url/)
    }
  )

  it.each(["localhost:6379", "http://localhost", "redis://host/name", "redis://a b", ""])(
    "rejects the url %j",
    (url) => {
      expect(() => redisRateLimits({ url })).toThrow(RangeError)
    }
  )

  it("does not repeat the password of an invalid url", () => {
    const url = Redacted.make("rediss//:s3cret@host")
    const result = Result.try(() => redisRateLimits({ url }))
    assert.isTrue(Result.isFailure(result))
    assert.notInclude(inspect(result, { depth: 5 }), "s3cret")
  })
})

describe.skipIf(!isRedisInstalled)("on redis-server, if installed", () => {
  it("stores hashed keys under its prefix until their windows end", async () => {
    const server = await RedisServer.start()
    const one = await open({ url: server.url })
    const other = await open({ url: Redacted.make(server.url), prefix: "other:" })
    const client = await createClient({ url: server.url }).connect()
    try {
      const key = 'key:["acme","","ada@example.com"]:60000'
      assert.deepStrictEqual([await one.take(key), await one.take(key)], [0, 0])
      assert.deepStrictEqual([await other.take(key), await other.take(key)], [0, 0])
      const names = (await client.keys("*")).toSorted()
      assert.lengthOf(names, 2)
      assert.match(names[0] ?? "", /^other:[\w-]{43}$/)
      assert.match(names[1] ?? "", /^signalbox:rate-limit:[\w-]{43}$/)
      for (const name of names) {
        assert.deepStrictEqual(Object.keys(await client.hGetAll(name)), ["count", "endsAt"])
        expect(await client.pTTL(name)).toBeGreaterThan(0)
        expect(await client.pTTL(name)).toBeLessThanOrEqual(60_000)
      }
    } finally {
      client.destroy()
      await one.close()
      await other.close()
      await server.kill()
    }
  })

  it("starts without Redis and connects as soon as it runs", async () => {
    const server = await RedisServer.start()
    await server.kill()
    const store = await open(server)
    try {
      assert.include(String(await store.take("ada")), "ECONNREFUSED")
      await server.start()
      await expect.poll(() => store.take("ada"), seconds(5)).toBe(0)
    } finally {
      await store.close()
      await server.kill()
    }
  })

  it("fails at once while Redis is down and reconnects afterwards", async () => {
    const server = await RedisServer.start()
    const store = await open(server)
    try {
      assert.strictEqual(await store.take("ada"), 0)
      for (let round = 0; round < 2; round++) {
        await server.kill()
        await expect.poll(() => store.take("ada"), seconds(5)).toContain("ECONNREFUSED")
        await server.start()
        await expect.poll(() => store.take("ada"), seconds(5)).toBe(0)
      }
    } finally {
      await store.close()
      await server.kill()
    }
  })

  it("drops a connection that does not answer and reconnects", async () => {
    const server = await RedisServer.start()
    const store = await open(server)
    try {
      assert.strictEqual(await store.take("ada"), 0)
      server.freeze()
      assert.strictEqual(await store.take("ada"), "no reply")
      await expect.poll(() => store.take("ada"), seconds(10)).toContain("no answer in 2s")
      server.thaw()
      await expect.poll(() => store.take("bob"), seconds(10)).toBe(0)
    } finally {
      await store.close()
      await server.kill()
    }
  })

  it("closes its connection when it is closed", async () => {
    const server = await RedisServer.start()
    const client = await createClient({ url: server.url }).connect()
    const countClients = async () => (await client.clientList()).length
    try {
      const store = await open(server)
      assert.strictEqual(await store.take("ada"), 0)
      assert.strictEqual(await countClients(), 2)
      await store.close()
      await expect.poll(countClients, seconds(5)).toBe(1)
    } finally {
      client.destroy()
      await server.kill()
    }
  })

  it("closes while Redis does not answer, connected or not", async () => {
    const server = await RedisServer.start()
    try {
      const connected = await open(server)
      server.freeze()
      assert.strictEqual(await connected.take("ada"), "no reply")
      const connecting = await open(server)
      assert.strictEqual(await connecting.take("ada"), "no answer in 2s")
      await Promise.all([connected.close(), connecting.close()])
    } finally {
      await server.kill()
    }
  })

  it("reports a wrong password without repeating it", async () => {
    const server = await RedisServer.start("--requirepass", "right")
    const url = (password: string) => server.url.replace("//", `//:${password}@`)
    const [right, wrong] = [await open({ url: url("right") }), await open({ url: url("s3cret") })]
    try {
      assert.strictEqual(await right.take("ada"), 0)
      const problem = String(await wrong.take("ada"))
      assert.include(problem, "WRONGPASS")
      assert.notInclude(problem, "s3cret")
    } finally {
      await right.close()
      await wrong.close()
      await server.kill()
    }
  })
})
