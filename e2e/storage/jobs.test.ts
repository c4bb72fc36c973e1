import { JobKind } from "@signalbox/core/stores"
import { DurableJobs } from "@signalbox/core/adapter"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { expect, test } from "vitest"
import { keys, TestServer } from "../support/TestServer.ts"
import { getProperty } from "../support/getProperty.ts"

const kind = JobKind.make({ name: "proof", payload: Schema.Int, concurrency: 1 })

test("health and metrics report the jobs of an instance", async () => {
  await using server = await TestServer.start()
  const { instance } = server
  const begun = Deferred.makeUnsafe<void>()
  const interrupted = Deferred.makeUnsafe<void>()
  const jobs = Effect.gen(function* () {
    const { offer, work } = yield* DurableJobs
    for (const n of [1, 2, 3]) yield* offer(kind, { id: "job", key: `job-${n}`, payload: n })
    yield* offer(kind, { id: "job", key: "job-4", payload: 4, delay: "1 hour" })
    yield* work(kind, {
      run: (n) =>
        n === 1
          ? Effect.void
          : Effect.onInterrupt(
              Effect.andThen(Deferred.succeed(begun, undefined), Effect.never),
              () => Deferred.succeed(interrupted, undefined)
            ),
      onExhausted: () => Effect.void
    })
    return yield* Effect.never
  })
  const working = Effect.runFork(jobs.pipe(Effect.scoped, Effect.provideContext(instance.context)))
  await Effect.runPromise(Deferred.await(begun))

  const { jobs: reported } = await instance.health()
  expect(reported?.filter((each) => each.kind === "proof")).toEqual([
    {
      kind: "proof",
      worked: true,
      due: 1,
      later: 1,
      running: 1,
      oldestMillis: expect.any(Number),
      succeeded: 1,
      failed: 0,
      died: 0
    }
  ])
  const answer = await fetch(`${server.root}/api/v1/signalbox/health`, {
    headers: { authorization: `Bearer ${keys.management}` }
  })
  expect(getProperty(getProperty(await answer.json(), "data"), "jobs")).toContainEqual(
    expect.objectContaining({ kind: "proof" })
  )
  const metrics = await instance.metrics()
  for (const line of [
    'signalbox_job_steps{kind="proof",state="due"} 1',
    'signalbox_job_steps{kind="proof",state="later"} 1',
    'signalbox_job_steps{kind="proof",state="running"} 1',
    'signalbox_job_attempts_total{kind="proof",outcome="succeeded"} 1',
    'signalbox_job_steps_dead_total{kind="proof"} 0'
  ]) {
    expect(metrics.split("\n")).toContain(line)
  }

  working.interruptUnsafe()
  await Effect.runPromise(Deferred.await(interrupted))
  await instance.close()
})
