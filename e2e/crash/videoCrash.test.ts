/** A process that dies at any point of a job's life neither loses nor duplicates it, and bills it once. */
import { afterAll, describe, inject, test } from "vitest"
import { pickSample } from "../../vitest.scope.ts"
import { videoCrashPoints } from "./videoCrashPoints.ts"
import { VideoCrashRunner } from "./VideoCrashRunner.ts"

const crashPoints = pickSample(videoCrashPoints, 4)

// Two runners per database, so that one works while the other waits for a lease to expire.
const runnerCount = 2
const makeRunners = (postgresUrl?: string) =>
  Array.from(
    { length: runnerCount },
    (_, route) =>
      new VideoCrashRunner(
        postgresUrl,
        crashPoints.filter((_crashPoint, at) => at % runnerCount === route).length
      )
  )

describe.concurrent("a video job survives the death of its process", () => {
  const runners = { sqlite: makeRunners(), postgres: makeRunners(inject("postgresUrl")) }
  afterAll(async () => {
    for (const runner of [...runners.sqlite, ...runners.postgres]) await runner.close()
  })
  const cases = crashPoints.flatMap(({ name }, at) =>
    (["sqlite", "postgres"] as const).flatMap((kind) =>
      runners[kind]
        .slice(at % runnerCount, (at % runnerCount) + 1)
        .map((runner) => ({ name, kind, runner }))
    )
  )

  test.for(cases)("$name, on $kind", async ({ runner, name }, { expect }) => {
    const { responses, ...survived } = await runner.runUntilCrash(name)
    expect(survived).toEqual({
      ended: [null, "SIGKILL"],
      isOverdrawn: false,
      usage: { cost: 0.4, is_byok: false },
      made: 1,
      recorded: 1,
      events: new Set(["job-completed"]),
      isAccepted: true,
      isFileKept: true,
      left: { reserved: 0n, reservations: 0, steps: 0, buried: 0 },
      ofEach: { settled: 1, spent: 1, kept: 1, made: 1, recorded: 1, delivered: 1 },
      isLimitKept: true
    })
    expect(responses).toEqual(responses.map(() => [202, true]))
  })
})
