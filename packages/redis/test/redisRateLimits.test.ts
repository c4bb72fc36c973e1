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

/** A store as a process has it: what it gives, and how it is closed. */
const open = async (options: RedisRateLimitsOptions) => {
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(Layer.buildWithScope(redisRateLimits(options), scope))
  const { take } = Context.get(context, RateLimitStore)
  return {
    /** How long to wait, or what the problem is. */
    take: (key: string) =>
      Effect.runPromise(
        take(key, limit).pipe(
          Effect.catch(({ problem }) => Effect.succeed(problem)),
          Effect.timeoutOrElse({ duration: 200, orElse: () => Effect.succeed("silence") })
        )
      ),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const seconds = (count: number) => ({ timeout: count * 1000, interval: 50 })

describe("redisRateLimits", () => {
  it.each([undefined, "redis://localhost", {}, { uri: "redis://localhost" }])(
    "says what is wrong with the options %j",
    (options) => {
      const made = () => redisRateLimits(options as RedisRateLimitsOptions)
      expect(made).toThrow(RangeError)
      expect(made).toThrow(/^redisRateLimits.*url/)
    }
  )

  it.each(["localhost:6379", "http://localhost", "redis://host/name", "redis://a b", ""])(
    "says what is wrong with the url %j",
    (url) => {
      expect(() => redisRateLimits({ url })).toThrow(RangeError)
    }
  )

  it("does not repeat a password", () => {
    const url = Redacted.make("rediss//:s3cret@host")
    const made = Result.try(() => redisRateLimits({ url }))
    assert.isTrue(Result.isFailure(made))
    assert.notInclude(inspect(made, { depth: 5 }), "s3cret")
  })
})

describe.skipIf(!isRedisInstalled)("redis-server, skipped where none is installed", () => {
  it("keeps keys below its prefix, for as long as their windows, and tells nothing of callers", async () => {
    const server = await RedisServer.start()
    const mine = await open({ url: server.url })
    const theirs = await open({ url: Redacted.make(server.url), prefix: "theirs:" })
    const looking = await createClient({ url: server.url }).connect()
    try {
      const key = 'key:["acme","","ada@example.com"]:60000'
      assert.deepStrictEqual([await mine.take(key), await mine.take(key)], [0, 0])
      assert.deepStrictEqual([await theirs.take(key), await theirs.take(key)], [0, 0])
      const names = (await looking.keys("*")).toSorted()
      assert.lengthOf(names, 2)
      assert.match(names[0] ?? "", /^signalbox:rate-limit:[\w-]{43}$/)
      assert.match(names[1] ?? "", /^theirs:[\w-]{43}$/)
      for (const name of names) {
        assert.deepStrictEqual(Object.keys(await looking.hGetAll(name)), ["count", "endsAt"])
        expect(await looking.pTTL(name)).toBeGreaterThan(50_000)
        expect(await looking.pTTL(name)).toBeLessThanOrEqual(60_000)
      }
    } finally {
      looking.destroy()
      await mine.close()
      await theirs.close()
      await server.kill()
    }
  })

  it("starts without Redis, and counts in it as soon as it is there", async () => {
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

  it("fails at once while Redis is killed, and comes back with it", async () => {
    const server = await RedisServer.start()
    const store = await open(server)
    try {
      assert.strictEqual(await store.take("ada"), 0)
      for (let times = 0; times < 2; times++) {
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

  it("gives up a connection on which nothing is answered, and comes back", async () => {
    const server = await RedisServer.start()
    const store = await open(server)
    try {
      assert.strictEqual(await store.take("ada"), 0)
      server.freeze()
      assert.strictEqual(await store.take("ada"), "silence")
      await expect.poll(() => store.take("ada"), seconds(10)).toContain("no answer in 2s")
      server.thaw()
      await expect.poll(() => store.take("bob"), seconds(10)).toBe(0)
    } finally {
      await store.close()
      await server.kill()
    }
  })

  it("leaves no connection behind when it is closed", async () => {
    const server = await RedisServer.start()
    const looking = await createClient({ url: server.url }).connect()
    const clients = async () => (await looking.clientList()).length
    try {
      const store = await open(server)
      assert.strictEqual(await store.take("ada"), 0)
      assert.strictEqual(await clients(), 2)
      await store.close()
      await expect.poll(clients, seconds(5)).toBe(1)
    } finally {
      looking.destroy()
      await server.kill()
    }
  })

  it("closes while Redis says nothing, connected or not", async () => {
    const server = await RedisServer.start()
    try {
      const connected = await open(server)
      server.freeze()
      assert.strictEqual(await connected.take("ada"), "silence")
      const connecting = await open(server)
      assert.strictEqual(await connecting.take("ada"), "no answer in 2s")
      await Promise.all([connected.close(), connecting.close()])
    } finally {
      await server.kill()
    }
  })

  it("says that a password is wrong, and not which one", async () => {
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
