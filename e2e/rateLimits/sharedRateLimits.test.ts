import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { isRedisInstalled, RedisServer } from "../../packages/redis/test/redisServer.ts"
import { bundleProgram } from "../../vitest.programs.ts"
import { commonLimit, makeKeys, ownLimit } from "./rateLimitedKeys.ts"

interface RateLimitedProcess {
  readonly child: ChildProcess
  readonly url: string
  readonly log: () => string
}

const program = join(import.meta.dirname, "rateLimitedProcess.ts")

const start = async (redis: string): Promise<RateLimitedProcess> => {
  const child = fork(await bundleProgram(program), [redis], {
    stdio: ["ignore", "pipe", "inherit", "ipc"]
  })
  let log = ""
  child.stdout?.on("data", (chunk) => {
    log += String(chunk)
  })
  const [port] = await once(child, "message")
  return { child, url: `http://127.0.0.1:${port}/api/v1/key`, log: () => log }
}

/** Sends concurrent requests to the processes in turn and counts the statuses. */
const countStatuses = async (
  processes: ReadonlyArray<RateLimitedProcess>,
  key: string | undefined,
  times: number
) => {
  const headers = { authorization: `Bearer ${key}` }
  const answers = await Promise.all(
    Array.from({ length: times }, async (_, i) => {
      const response = await fetch(processes[i % processes.length]?.url ?? "", { headers })
      await response.text()
      return response.status
    })
  )
  return {
    passed: answers.filter((status) => status === 200).length,
    limited: answers.filter((status) => status === 429).length
  }
}

/** Asks a process to close its instance; returns its exit code and signal. */
const closeProcess = (limited: RateLimitedProcess | undefined) => {
  const exit = limited === undefined ? [] : once(limited.child, "exit")
  limited?.child.send("close")
  return exit
}

describe.skipIf(!isRedisInstalled)(
  "rate limits shared in Redis (skipped without redis-server)",
  () => {
    const unused = { common: [...makeKeys("common")], own: [...makeKeys("own")] }
    /** The number of 20 requests with a fresh key that pass. */
    const pass = async () => (await countStatuses(processes, unused.own.pop(), 20)).passed
    let redis: RedisServer
    let processes: ReadonlyArray<RateLimitedProcess>

    beforeAll(async () => {
      redis = await RedisServer.start()
      processes = await Promise.all([start(redis.url), start(redis.url)])
    })
    afterAll(async () => {
      for (const { child } of processes) child.kill("SIGKILL")
      await redis.kill()
    })

    it("enforce the limit of a key exactly across processes", async () => {
      for (let times = 0; times < 5; times++) {
        const { passed, limited } = await countStatuses(processes, unused.common.pop(), 60)
        assert.deepStrictEqual([passed, limited], [commonLimit.requests, 40])
      }
      for (let times = 0; times < 5; times++) {
        const { passed, limited } = await countStatuses(processes, unused.own.pop(), 20)
        assert.deepStrictEqual([passed, limited], [ownLimit.requests, 13])
      }
    })

    it("fall back to a limit per process while Redis is down, and are shared again after it recovers", async () => {
      assert.strictEqual(await pass(), ownLimit.requests)
      await redis.kill()
      for (let times = 0; times < 3; times++) {
        assert.strictEqual(await pass(), 2 * ownLimit.requests)
      }
      await redis.start()
      await expect.poll(pass, { timeout: 240_000, interval: 200 }).toBe(ownLimit.requests)
      for (let times = 0; times < 3; times++) assert.strictEqual(await pass(), ownLimit.requests)
      for (const { log } of processes) {
        assert.match(log(), /WARN.*counted in this process alone/)
        assert.match(log(), /INFO.*counted by their store again/)
      }
    })

    it("do not block requests while Redis is frozen", async () => {
      try {
        redis.freeze()
        for (let times = 0; times < 3; times++) {
          assert.strictEqual(await pass(), 2 * ownLimit.requests)
        }
      } finally {
        redis.thaw()
      }
      await expect.poll(pass, { timeout: 240_000, interval: 500 }).toBe(ownLimit.requests)
    })

    it("let a process exit after close, even while Redis is frozen", async () => {
      const [first, second] = processes
      assert.strictEqual(await pass(), ownLimit.requests)
      expect(await closeProcess(first)).toEqual([0, null])
      redis.freeze()
      expect(await closeProcess(second)).toEqual([0, null])
    })
  }
)
