/** Four processes that fail in turn under load, and the books that they leave. */
import { fault, reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { isRedisInstalled } from "../../packages/redis/test/redisServer.ts"
import { manage } from "../crash/crashRequests.ts"
import { getProperty } from "../support/getProperty.ts"
import { expectExactBooks } from "./expectExactBooks.ts"
import { pacedKeys, pacedLimit } from "./FleetProcessConfig.ts"
import { type Fleet, startFleet } from "./startFleet.ts"

const timeout = 900_000

const expectSharedLimit = async (fleet: Fleet, key: string): Promise<void> => {
  const statuses = await fleet.askAll(key, 3 * pacedLimit.requests)
  // A busy machine may answer some of those that were admitted too late.
  expect(statuses.filter((status) => status !== 429)).toHaveLength(pacedLimit.requests)
}

/** Creates a key at one process and deletes it at another; in the end all processes refuse it. */
const expectDeletedKeyRefused = async (fleet: Fleet): Promise<void> => {
  const { processes } = fleet
  const created = await manage(processes[0]!.origin, "POST", "/keys", { name: "leaver" })
  const leaver = String(getProperty(created.body, "key"))
  expect(await fleet.askAll(leaver, 8)).not.toContain(401)
  const hash = String(getProperty(getProperty(created.body, "data"), "hash"))
  await manage(processes[3]!.origin, "DELETE", `/keys/${hash}`)
  await expect
    .poll(async () => new Set(await fleet.askAll(leaver, 8)), { timeout: 240_000 })
    .toEqual(new Set([401]))
}

describe.skipIf(!isRedisInstalled)("a fleet of four (skipped without redis-server)", () => {
  test(
    "charges what providers answered while a provider fails, a process stops and goes on, and Redis is lost",
    { timeout },
    async () => {
      await using fleet = await startFleet()
      const { processes, redis, upstreams } = fleet
      const [first, second] = upstreams
      await fleet.answerMore(100)
      await expectSharedLimit(fleet, pacedKeys[0])

      const beforeFailure = first.requests.length
      first.always(fault.status(500))
      await fleet.answerMore(150)
      const failures = first.requests.length - beforeFailure
      first.always(reply.decision())

      processes[1]!.freeze()
      await fleet.settleHeld()
      processes[1]!.thaw()
      await fleet.answerMore(100)

      await redis.kill()
      await fleet.answerMore(100)
      await redis.start()
      await fleet.answerMore(100)
      await expectDeletedKeyRefused(fleet)

      const books = await expectExactBooks(
        fleet,
        () => first.requests.length - failures + second.requests.length
      )
      expect(failures).toBeGreaterThan(0)
      expect(books.refused).toBeGreaterThan(0n)
    }
  )

  test(
    "charges each answer, and no limit too much, while processes are killed",
    { timeout },
    async () => {
      await using fleet = await startFleet({ recordsFirst: true })
      const { processes, upstreams } = fleet
      for (const at of [1, 3, 0]) {
        await fleet.answerMore(60)
        await processes[at]!.kill()
        await fleet.answerMore(60)
        await fleet.restart(at)
      }
      await fleet.answerMore(60)
      const books = await expectExactBooks(fleet, () => countAllRequests(upstreams))
      expect(books.answered).toBeGreaterThan(400n)
    }
  )

  test(
    "charges and records each answer while Postgres is killed and hangs",
    { timeout },
    async () => {
      await using fleet = await startFleet()
      const { load, postgres, upstreams } = fleet
      const failMore = async () => {
        const before = load.with(503).length
        await expect
          .poll(() => load.with(503).length, { timeout: 240_000, interval: 20 })
          .toBeGreaterThan(before + 20)
      }
      await fleet.answerMore(60)
      postgres.signal("SIGKILL")
      await failMore()
      await postgres.startAgain()
      await fleet.answerMore(100)
      postgres.signal("SIGSTOP")
      await failMore()
      postgres.signal("SIGCONT")
      await fleet.answerMore(100)
      await expectSharedLimit(fleet, pacedKeys[1])
      const books = await expectExactBooks(fleet, () => countAllRequests(upstreams))
      expect(books.answered).toBeGreaterThan(250n)
    }
  )
})

const countAllRequests = (upstreams: Fleet["upstreams"]): number =>
  upstreams.reduce((sum, { requests }) => sum + requests.length, 0)
