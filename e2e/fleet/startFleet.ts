/** Starts four processes on a Postgres and a Redis of their own, whose clocks are minutes apart, and puts them under load. */
import { ScriptedUpstream } from "@signalbox/testing"
import { expect } from "vitest"
import { RedisServer } from "../../packages/redis/test/redisServer.ts"
import { startPostgres } from "../../packages/sql/test/startPostgres.ts"
import { CrashLoad } from "../crash/CrashLoad.ts"
import { decide } from "../crash/crashRequests.ts"
import { makeCrashProcesses } from "../crash/makeCrashProcesses.ts"
import { crashKeys } from "../crash/makeCrashInstance.ts"
import type { FleetProcessConfig } from "./FleetProcessConfig.ts"
import { readLeftovers } from "../crash/readLeftovers.ts"

/** The clocks that the processes have, against the system's. */
const skews = [0, 0, 10 * 60_000, -10 * 60_000]

/** How long a fleet may take to answer some requests on a busy machine. */
const patience = { timeout: 240_000, interval: 20 }

export const startFleet = async (options: Partial<FleetProcessConfig> = {}) => {
  const postgres = await startPostgres(["fsync=off"])
  const redis = await RedisServer.start()
  const upstreams = [await ScriptedUpstream.start(), await ScriptedUpstream.start()] as const
  const { killAll, start } = makeCrashProcesses(
    "fleetProcess.ts",
    {
      postgresUrl: postgres.url,
      redisUrl: redis.url,
      upstreams: upstreams.map(({ url }) => url),
      recordsFirst: false,
      ...options
    },
    import.meta.dirname
  )
  const startAt = (at: number) => start(`process ${at + 1}`, { skewMillis: skews[at] })
  // The first process migrates the database.
  const processes = [await startAt(0)]
  processes.push(...(await Promise.all(skews.slice(1).map((_, at) => startAt(at + 1)))))
  let calls = 0
  const load = new CrashLoad(
    () => processes[calls++ % processes.length]!.origin,
    [crashKeys.rich, crashKeys.poor],
    6
  )
  const readBooks = () => readLeftovers({ kind: "postgres", location: postgres.url })
  return {
    postgres,
    redis,
    upstreams,
    processes,
    load,
    readBooks,
    restart: async (at: number): Promise<void> => {
      processes[at] = await startAt(at)
    },
    /** Resolves when this many further requests are answered. */
    answerMore: async (count: number): Promise<void> => {
      const before = load.with(200).length
      await expect
        .poll(() => load.with(200).length, patience)
        .toBeGreaterThanOrEqual(before + count)
    },
    /** The statuses of this many requests with a key, which are sent at once to all processes in turn. */
    askAll: (key: string, times: number): Promise<ReadonlyArray<number | undefined>> =>
      Promise.all(
        Array.from({ length: times }, async (_, at) => {
          const { origin } = processes[at % processes.length]!
          const response = await decide(origin, key).catch(() => undefined)
          load.results.push({ key, response })
          return response?.status
        })
      ),
    /** Resolves when each amount that is held now is settled or given back. */
    settleHeld: async (): Promise<void> => {
      const held = [...(await readBooks()).reservations]
      await expect
        .poll(async () => {
          const { reservations } = await readBooks()
          return held.filter((id) => reservations.has(id))
        }, patience)
        .toEqual([])
    },
    [Symbol.asyncDispose]: async () => {
      killAll()
      await load.stop()
      await redis.kill()
      await postgres.stop()
      for (const upstream of upstreams) await upstream.close()
    }
  }
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>
