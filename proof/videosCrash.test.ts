/** A process that dies at any moment of a job's life loses no job, makes none twice, and bills each once. */
import { afterAll, describe, inject, test } from "vitest"
import { moments } from "./videoMoments.ts"
import { VideoLane } from "./VideoLane.ts"

// Two of each, so that one dies while the other waits for a lease to be over.
const laneCount = 2
const lanesOn = (postgresUrl?: string) =>
  Array.from(
    { length: laneCount },
    (_, lane) =>
      new VideoLane(postgresUrl, moments.filter((_moment, at) => at % laneCount === lane).length)
  )

describe.concurrent("a video job outlives a process that is killed", () => {
  const lanes = { sqlite: lanesOn(), postgres: lanesOn(inject("postgresUrl")) }
  afterAll(async () => {
    for (const lane of [...lanes.sqlite, ...lanes.postgres]) await lane.close()
  })
  const cases = moments.flatMap(({ name }, at) =>
    (["sqlite", "postgres"] as const).flatMap((kind) =>
      lanes[kind].slice(at % laneCount, (at % laneCount) + 1).map((lane) => ({ name, kind, lane }))
    )
  )

  test.for(cases)("$name, on $kind", { timeout: 180_000 }, async ({ lane, name }, { expect }) => {
    const { told, ...survived } = await lane.survive(name)
    expect(survived).toEqual({
      ended: [null, "SIGKILL"],
      isOverdrawn: false,
      usage: { cost: 0.4, is_byok: false },
      made: 1,
      recorded: 1,
      events: new Set(["job-completed"]),
      isTaken: true,
      isFileKept: true,
      left: { reserved: 0n, reservations: 0, steps: 0, buried: 0 },
      ofEach: { settled: 1, spent: 1, kept: 1, made: 1, recorded: 1, delivered: 1 },
      isLimitKept: true
    })
    expect(told).toEqual(told.map(() => [202, true]))
  })
})
