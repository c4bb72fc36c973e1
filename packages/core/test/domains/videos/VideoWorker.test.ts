import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { assert, describe, it } from "vitest"
import { hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { GenerationStore } from "../../../src/engine/observability/generations/GenerationStore.ts"
import { GenerationId } from "../../../src/values/ids/GenerationId.ts"
import { defaultAccountId } from "../../../src/values/ids/Ids.ts"
import { Ledger } from "../../../src/engine/ledger/Ledger.ts"
import { pickScope } from "../../../../../vitest.scope.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"
import type { BlobStore } from "../../../src/instance/BlobStore.ts"
import { toVideoResponse } from "../../../src/domains/videos/toVideoResponse.ts"
import { StoreUnavailable } from "../../../src/values/errors/StoreUnavailable.ts"
import { Videos } from "../../../src/domains/videos/Videos.ts"
import type { VideoStatus } from "../../../src/domains/videos/VideoStatus.ts"
import { Jumps } from "../../withJumps.ts"
import {
  accepted,
  cancel,
  advanceClock,
  failing,
  find,
  runInProcesses,
  runInHarness,
  storesWith,
  submit
} from "./videoHarness.ts"

const minute = 60
const hour = 60 * minute
const dayMillis = 24 * hour * 1_000

const credits = Effect.map(
  Ledger.use((ledger) => ledger.findCredits(defaultAccountId)),
  (credits) => ({
    settled: NanoUsd.toUsdNumber(credits?.settled ?? NanoUsd.zero),
    reserved: NanoUsd.toUsdNumber(credits?.reserved ?? NanoUsd.zero)
  })
)
const withCredits = { options: { credits: { default: "10" } } }

const countOf = (status: VideoStatus) =>
  Effect.map(
    Videos.use((videos) =>
      videos.list({ account: defaultAccountId }, { status }, { offset: 0, limit: 1 })
    ),
    ({ total }) => total
  )

const recordOf = (id: string) =>
  GenerationStore.use((store) => store.find(defaultAccountId, GenerationId.make(id)))

/** A third provider, which requests ignore. */
const three = {
  options: {
    models: [
      {
        id: "a/film",
        card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
        endpoints: ["one", "two", "three"].map((provider) => ({
          provider,
          price: {},
          videoPrice: { duration_seconds: "0.1" }
        }))
      }
    ]
  }
} satisfies Parameters<typeof runInHarness>[1]

const ignored = {
  endpoint: "a/film@three",
  rule: "ignore",
  source: "request",
  wanted: "none of three",
  found: "three"
}

describe("a video job", () => {
  it("expires at its deadline, is stopped at the provider, and costs nothing", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          const { id } = yield* submit()
          yield* advanceClock(2 * hour - 2)
          assert.strictEqual((yield* find(id)).status, "in_progress")
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0.4 })
          yield* advanceClock(4)
          const { end, status } = yield* find(id)
          assert.deepStrictEqual(
            [status, end?.error],
            ["expired", "Job exceeded maximum time to live"]
          )
          assert.deepStrictEqual(one.stopped, ["job-1"])
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0 })
        }),
      { ...withCredits, settings: { videoTimeoutMillis: 2 * hour * 1_000 } }
    ))

  it.each([
    // A video costs 0.4 USD at most.
    ["as its provider states", { cost: NanoUsd.make(4_000_000_000n) }, 4, false],
    ["no more than the worst case", { cost: NanoUsd.make(4_000_000_001n) }, 0.4, true],
    ["no more than the worst case", { usage: { videos: 1, seconds: 9 } }, 0.4, true]
  ] as const)("is charged %s if the provider reports %o", (_, stated, charged, isTold) =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          one.report = { status: "completed", outputs: [{ index: 0 }], ...stated }
          const { id } = yield* submit()
          yield* advanceClock(60)
          assert.strictEqual((yield* find(id)).status, "completed")
          assert.deepStrictEqual(yield* credits, { settled: charged, reserved: 0 })
          const { implausible } = (yield* recordOf(id))?.attempts[0] ?? {}
          assert.strictEqual(implausible?.what, isTold ? "cost" : undefined)
        }),
      withCredits
    )
  )

  it("that a hanging provider has not accepted counts under the limit of the account", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          one.submitResults.push(Effect.never, Effect.never)
          const { id } = yield* submit()
          yield* submit()
          const refused = yield* Effect.flip(submit())
          assert.strictEqual(refused._tag, "TooManyActiveJobs")
          // Nothing is left of it.
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0.8 })
          yield* Videos.use((videos) => videos.cancel(hostCaller, id))
          yield* advanceClock(3 * minute)
          assert.strictEqual((yield* find(id)).status, "cancelled")
          yield* submit()
        }),
      { ...withCredits, settings: { maxActiveVideoJobs: 2 } }
    ))

  it("is completed by the poll at its deadline if the provider has finished", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          const { id } = yield* submit()
          yield* advanceClock(minute)
          one.report = { status: "completed", outputs: [{ index: 0 }] }
          yield* advanceClock(10 * minute)
          assert.strictEqual((yield* find(id)).status, "completed")
          assert.deepStrictEqual(yield* credits, { settled: 0.4, reserved: 0 })
        }),
      { ...withCredits, settings: { videoTimeoutMillis: (minute + 1) * 1_000 } }
    ))

  it("keeps its reservation while it runs, however short the lease", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          const { id } = yield* submit()
          yield* advanceClock(hour)
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0.4 })
          one.report = { status: "failed", kind: "server_error" }
          yield* advanceClock(5 * minute)
          assert.strictEqual((yield* find(id)).status, "failed")
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0 })
        }),
      { ...withCredits, settings: { videoReservationLeaseMillis: 12 * minute * 1_000 } }
    ))

  it.each([
    ["forward", dayMillis],
    ["back", -dayMillis]
  ])("keeps its reservation while it runs although the clock jumps a day %s", (_, jump) =>
    runInHarness(
      () =>
        Effect.gen(function* () {
          yield* submit()
          yield* advanceClock(5 * minute)
          const { jump: jumpBy } = yield* Jumps
          jumpBy(jump)
          yield* advanceClock(hour)
          jumpBy(-jump)
          // A new reservation finds the expired ones.
          yield* submit({ provider: { order: ["two"] } })
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0.8 })
        }),
      { ...withCredits, settings: { videoReservationLeaseMillis: 12 * minute * 1_000 } }
    )
  )

  it("keeps its reservation while its submit is retried", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          const slowly = Effect.delay(failing({ kind: "timeout", phase: "headers" }), "50 seconds")
          one.submitResults.push(...Array.from({ length: 10 }, () => slowly))
          const { id } = yield* submit()
          yield* advanceClock(10 * minute)
          // A new reservation finds the expired ones.
          yield* submit({ provider: { order: ["two"] } })
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0.8 })
          yield* advanceClock(10 * minute)
          assert.strictEqual((yield* find(id)).status, "failed")
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0.4 })
        }),
      { ...withCredits, settings: { videoReservationLeaseMillis: 9 * minute * 1_000 } }
    ))

  it("is polled at the interval of its provider, and less often the longer it takes", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          yield* submit()
          yield* advanceClock(2 * minute)
          assert.isAtLeast(one.polledAt.length, 4)
          assert.isAtMost(one.polledAt.length, 8)
          const before = one.polledAt.length
          yield* advanceClock(hour)
          // At most every minute from the twentieth minute on, and every three minutes at the end.
          assert.isAtMost(one.polledAt.length - before, 70)
          const [last = 0, other = 0] = one.polledAt.toReversed()
          assert.isAtLeast(last - other, 120_000)
        }),
      { capability: { pollIntervalMillis: 20_000 } }
    ))

  it("that is cancelled during its submit is stopped at the provider that accepted it", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          one.submitResults.push(Effect.delay(Effect.succeed(accepted("late")), "20 seconds"))
          const { id } = yield* submit()
          yield* advanceClock(5)
          assert.strictEqual(one.submits.length, 1)
          assert.strictEqual((yield* cancel(id)).status, "pending")
          assert.strictEqual((yield* cancel(id)).status, "pending")
          assert.lengthOf(one.stopped, 0)
          yield* advanceClock(minute)
          assert.strictEqual((yield* find(id)).status, "cancelled")
          assert.deepStrictEqual(one.stopped, ["late"])
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0 })
        }),
      withCredits
    ))

  it("that is cancelled during its submit and cannot be stopped is charged", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          one.submitResults.push(Effect.delay(Effect.succeed(accepted("late")), "20 seconds"))
          const { id } = yield* submit()
          yield* advanceClock(5)
          yield* cancel(id)
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0.4 })
          yield* advanceClock(minute)
          const { cancelRequested, end, status } = yield* find(id)
          assert.deepStrictEqual(
            [status, end?.error, cancelRequested],
            ["cancelled", "The job was cancelled", undefined]
          )
          assert.lengthOf(one.polledAt, 0)
          assert.deepStrictEqual(yield* credits, { settled: 0.4, reserved: 0 })
        }),
      { ...withCredits, capability: { cancel: () => failing({ kind: "not_served", status: 404 }) } }
    ))

  it("that is cancelled before its submit ends at once, and is free", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          const { id } = yield* submit()
          assert.strictEqual((yield* cancel(id)).status, "cancelled")
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0 })
          yield* advanceClock(minute)
          assert.lengthOf(one.submits, 0)
        }),
      withCredits
    ))

  it("that is cancelled while a provider rejects it is submitted to no other, and is free", () =>
    runInHarness(
      ({ one, two }) =>
        Effect.gen(function* () {
          one.submitResults.push(
            Effect.delay(failing({ kind: "rate_limited", status: 429 }), "20 seconds")
          )
          const { id } = yield* submit()
          yield* advanceClock(5)
          yield* cancel(id)
          yield* advanceClock(minute)
          const { attempts, status } = yield* find(id)
          assert.strictEqual(status, "cancelled")
          assert.deepStrictEqual(
            attempts.map(({ outcome }) => outcome),
            ["rate_limited"]
          )
          assert.lengthOf(one.submits, 1)
          assert.lengthOf(two.submits, 0)
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0 })
        }),
      withCredits
    ))

  it("that is cancelled during an unanswered submit is submitted again with its key, and charged", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          one.submitResults.push(
            Effect.delay(failing({ kind: "timeout", phase: "headers" }), "10 seconds")
          )
          const { id } = yield* submit()
          yield* advanceClock(5)
          yield* cancel(id)
          yield* advanceClock(minute)
          assert.strictEqual((yield* find(id)).status, "cancelled")
          assert.lengthOf(one.submits, 2)
          assert.deepStrictEqual(yield* credits, { settled: 0.4, reserved: 0 })
        }),
      { ...withCredits, capability: { cancel: () => failing({ kind: "not_served", status: 404 }) } }
    ))

  it("that is cancelled during an unanswered submit is not submitted again without idempotency keys", () =>
    runInHarness(
      ({ one, two }) =>
        Effect.gen(function* () {
          one.submitResults.push(
            Effect.delay(failing({ kind: "timeout", phase: "headers" }), "10 seconds")
          )
          const { id } = yield* submit()
          yield* advanceClock(5)
          yield* cancel(id)
          yield* advanceClock(minute)
          const { attempts, status } = yield* find(id)
          assert.strictEqual(status, "cancelled")
          assert.deepStrictEqual(
            attempts.map(({ outcome }) => outcome),
            ["timeout"]
          )
          assert.deepStrictEqual([one.submits.length, two.submits.length], [1, 0])
        }),
      { ...withCredits, withoutIdempotency: true }
    ))

  it("that is cancelled during the submit of a process that dies is ended by another one, and charged", () =>
    runInProcesses(
      (start) =>
        Effect.gen(function* () {
          const unstoppable = { cancel: () => failing({ kind: "not_served", status: 404 }) }
          const first = yield* start({ ...unstoppable, submit: () => Effect.never })
          const { id } = yield* Effect.provideContext(submit(), first.context)
          yield* advanceClock(5)
          yield* Effect.provideContext(cancel(id), first.context)
          first.kill()
          yield* first.close
          const second = yield* start(unstoppable)
          yield* advanceClock(2 * minute)
          const { assignment, status } = yield* Effect.provideContext(find(id), second.context)
          assert.deepStrictEqual([status, assignment?.upstreamId], ["cancelled", "job-1"])
          const { settled } = yield* Effect.provideContext(credits, second.context)
          assert.strictEqual(settled, 0.4)
          yield* second.close
        }),
      withCredits
    ))

  it("is submitted again with the same key until the outcome is known", () =>
    runInHarness(({ one, two }) =>
      Effect.gen(function* () {
        one.submitResults.push(
          failing({ kind: "unreachable", phase: "headers" }),
          failing({ kind: "rate_limited", status: 429 }),
          failing({ kind: "server_error", status: 502 })
        )
        const { id } = yield* submit()
        yield* advanceClock(minute)
        assert.strictEqual((yield* find(id)).assignment?.upstreamId, "job-4")
        assert.deepStrictEqual(
          one.submits.map(({ idempotencyKey }) => idempotencyKey),
          [id, id, id, id].map(String)
        )
        assert.lengthOf(two.submits, 0)
      })
    ))

  it("is cancelled while it is polled, and stopped once, however slow the provider", () => {
    const stops: Array<string> = []
    return runInHarness(
      () =>
        Effect.gen(function* () {
          const { id } = yield* submit()
          yield* advanceClock(5)
          const cancelling = yield* Effect.forkChild(cancel(id))
          yield* advanceClock(minute)
          assert.strictEqual((yield* find(id)).status, "cancelled")
          assert.strictEqual((yield* Fiber.join(cancelling)).status, "cancelled")
          assert.deepStrictEqual(stops, ["job-1"])
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0 })
        }),
      {
        ...withCredits,
        capability: {
          pollIntervalMillis: 2_000,
          cancel: ({ upstreamId }) => {
            stops.push(upstreamId)
            return Effect.sleep("8 seconds")
          }
        }
      }
    )
  })

  it("is cancelled and charged although its provider never answers the stop", () =>
    runInHarness(
      () =>
        Effect.gen(function* () {
          const { id } = yield* submit()
          yield* advanceClock(5)
          const cancelling = yield* Effect.forkChild(cancel(id))
          yield* advanceClock(minute)
          assert.strictEqual((yield* find(id)).status, "cancelled")
          assert.strictEqual((yield* Fiber.join(cancelling)).status, "cancelled")
          assert.deepStrictEqual(yield* credits, { settled: 0.4, reserved: 0 })
        }),
      { ...withCredits, capability: { cancel: () => Effect.never } }
    ))

  it("falls back when the provider's code throws before the call", () => {
    let asked = 0
    const submitting = () => {
      asked += 1
      if (asked === 1) throw new Error("a bug")
      return Effect.succeed(accepted("job-1"))
    }
    return runInHarness(
      () =>
        Effect.gen(function* () {
          const { id } = yield* submit()
          yield* advanceClock(minute)
          const { attempts, assignment } = yield* find(id)
          assert.deepStrictEqual(
            attempts.map(({ endpoint, outcome }) => [endpoint, outcome]),
            [
              ["a/film@one", "defect"],
              ["a/film@two", "served"]
            ]
          )
          assert.strictEqual(assignment?.provider, "two")
        }),
      { ...withCredits, capability: { submit: submitting } }
    )
  })

  it("is submitted again to the same provider when its code has a defect during the call", () =>
    runInHarness(
      ({ one, two }) =>
        Effect.gen(function* () {
          one.submitResults.push(Effect.die("a bug"))
          const { id } = yield* submit()
          yield* advanceClock(minute)
          const { attempts, assignment } = yield* find(id)
          assert.deepStrictEqual(
            attempts.map(({ outcome }) => outcome),
            ["defect", "served"]
          )
          assert.strictEqual(assignment?.provider, "one")
          assert.deepStrictEqual([one.submits.length, two.submits.length], [2, 0])
        }),
      withCredits
    ))

  it("is accepted although estimateWorstCase throws", () => {
    const capability = {
      estimateWorstCase: () => {
        throw new Error("a bug")
      }
    }
    return Promise.all([
      runInHarness(
        ({ one }) =>
          Effect.gen(function* () {
            const { id } = yield* submit()
            yield* advanceClock(5)
            one.report = { status: "completed", outputs: [{ index: 0 }] }
            yield* advanceClock(minute)
            assert.strictEqual((yield* find(id)).status, "completed")
          }),
        { capability }
      ),
      runInHarness(
        () =>
          Effect.gen(function* () {
            const error = yield* Effect.flip(submit())
            assert(error._tag === "NoEndpoints")
            assert.deepStrictEqual(
              error.rejected.map(({ reasons: [reason] }) => reason?.rule),
              ["unknown_price", "unknown_price"]
            )
          }),
        { ...withCredits, capability }
      )
    ])
  })

  it("whose submit stays unanswered fails, and is not charged", () =>
    runInHarness(
      ({ one, two }) =>
        Effect.gen(function* () {
          const unknown = failing({ kind: "timeout", phase: "headers" })
          one.submitResults.push(...Array.from({ length: 99 }, () => unknown))
          const { id } = yield* submit()
          yield* advanceClock(hour)
          const { end, status } = yield* find(id)
          assert.deepStrictEqual(
            [status, end?.error],
            ["failed", "It is not known whether the provider has accepted the job"]
          )
          assert.lengthOf(one.submits, 10)
          assert.lengthOf(two.submits, 0)
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0 })
        }),
      withCredits
    ))

  it("whose submit stays unanswered is submitted at most twice without idempotency keys", () =>
    runInHarness(
      ({ one, two }) =>
        Effect.gen(function* () {
          const unknown = failing({ kind: "timeout", phase: "headers" })
          one.submitResults.push(...Array.from({ length: 99 }, () => unknown))
          const { id } = yield* submit()
          yield* advanceClock(hour)
          const { attempts, end, status } = yield* find(id)
          assert.deepStrictEqual(
            [status, end?.error, end?.cost],
            ["failed", "It is not known whether the provider has accepted the job", undefined]
          )
          assert.deepStrictEqual(
            attempts.map(({ outcome }) => outcome),
            ["timeout", "timeout"]
          )
          assert.deepStrictEqual([one.submits.length, two.submits.length], [2, 0])
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0 })
        }),
      { ...withCredits, withoutIdempotency: true }
    ))

  it("that is cancelled when its last attempt is exhausted ends", () => {
    let isCancelled = false
    const stores = storesWith((kept) => ({
      replace: Effect.fnUntraced(function* (turn, after) {
        if (after.status === "failed" && !isCancelled) {
          isCancelled = true
          const { end: _, ...before } = after
          yield* kept.replace(turn, { ...before, status: "pending", cancelRequested: true })
        }
        return yield* kept.replace(turn, after)
      })
    }))
    return runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          const unknown = failing({ kind: "timeout", phase: "headers" })
          one.submitResults.push(...Array.from({ length: 10 }, () => unknown))
          const { id } = yield* submit()
          yield* advanceClock(hour)
          assert.deepStrictEqual([isCancelled, (yield* find(id)).status], [true, "cancelled"])
        }),
      { options: { stores } }
    )
  })

  it("that is accepted during a short outage of the store is not made twice", () => {
    let failures = 5
    const stores = storesWith((kept) => ({
      replace: (turn, after) =>
        Effect.suspend(() => {
          if (after.assignment === undefined || failures === 0) return kept.replace(turn, after)
          failures--
          return Effect.die(new StoreUnavailable({ cause: "away" }))
        })
    }))
    return runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          const { id } = yield* submit()
          yield* advanceClock(2 * minute)
          assert.deepStrictEqual([failures, one.submits.length], [0, 1])
          const { assignment, status } = yield* find(id)
          assert.deepStrictEqual([status, assignment?.upstreamId], ["in_progress", "job-1"])
        }),
      { options: { stores }, withoutIdempotency: true }
    )
  })

  it("is submitted again without idempotency keys after each rejection", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          one.submitResults.push(
            failing({ kind: "timeout", phase: "headers" }),
            failing({ kind: "rate_limited", status: 429 }),
            failing({ kind: "unreachable", phase: "connect" })
          )
          const { id } = yield* submit()
          yield* advanceClock(minute)
          assert.strictEqual((yield* find(id)).assignment?.upstreamId, "job-4")
          assert.notProperty(yield* find(id), "submittedTwice")
        }),
      { withoutIdempotency: true }
    ))

  it("that the provider rejects for its content is submitted to no other", () =>
    runInHarness(({ one, two }) =>
      Effect.gen(function* () {
        one.submitResults.push(failing({ kind: "content_refused", status: 400, detail: "no" }))
        const { id } = yield* submit()
        yield* advanceClock(2)
        const { attempts, end, status } = yield* find(id)
        assert.deepStrictEqual(
          [status, end?.error],
          ["failed", "Provider returned error: ONE: content_refused (400): no"]
        )
        assert.deepStrictEqual(
          attempts.map(({ outcome }) => outcome),
          ["content_refused"]
        )
        assert.lengthOf(two.submits, 0)
      })
    ))

  it("drops its prompt and its images when it ends", () =>
    runInHarness(({ one }) =>
      Effect.gen(function* () {
        one.report = { status: "completed", outputs: [{ index: 0 }] }
        const { id } = yield* submit({ user: "u-1" })
        yield* advanceClock(minute)
        const { request, status } = yield* find(id)
        assert.strictEqual(status, "completed")
        assert.deepStrictEqual(request, {
          model: "a/film",
          duration: 4,
          provider: { order: ["one", "two"] },
          user: "u-1"
        })
      })
    ))

  it("drops its provider options when it ends, because they may repeat the prompt", () =>
    runInHarness(({ one }) =>
      Effect.gen(function* () {
        one.report = { status: "completed", outputs: [{ index: 0 }] }
        const options = { one: { negative_prompt: "no ships" } }
        const { id } = yield* submit({ provider: { order: ["one"], options } })
        yield* advanceClock(minute)
        assert.deepStrictEqual(one.submits[0]?.options, options.one)
        const job = yield* find(id)
        assert.strictEqual(job.status, "completed")
        assert.notInclude(JSON.stringify(job), "no ships")
        assert.deepStrictEqual(job.request.provider, { order: ["one"] })
      })
    ))

  it("is polled without the bytes of its images", () =>
    runInHarness(({ one }) =>
      Effect.gen(function* () {
        const picture = `data:image/png;base64,${"A".repeat(1_000_000)}`
        const { id } = yield* submit({
          frame_images: [
            { type: "image_url", image_url: { url: picture }, frame_type: "first_frame" }
          ],
          input_references: [
            { type: "image_url", image_url: { url: picture } },
            { type: "audio_url", audio_url: { url: picture } },
            { type: "video_url", video_url: { url: "https://pictures.example.com/a.mp4" } }
          ]
        })
        yield* advanceClock(15)
        const [call] = one.submits
        assert.deepStrictEqual(
          [call?.frameImages, call?.inputReferences].map((each) => each?.[0]?.url.length),
          [picture.length, picture.length]
        )
        const job = yield* find(id)
        assert.strictEqual(job.status, "in_progress")
        assert.isBelow(JSON.stringify(job).length, 5_000)
        assert.include(JSON.stringify(job), "https://pictures.example.com/a.mp4")
        assert.include(JSON.stringify(job), "data:image/png;base64,AAA")
      })
    ))

  it("that ends twice concurrently ends once", () =>
    runInHarness(
      () =>
        Effect.gen(function* () {
          const { id } = yield* submit()
          yield* advanceClock(2)
          const ended = yield* Effect.forEach(Array.from({ length: 10 }), () => cancel(id), {
            concurrency: "unbounded"
          })
          assert.strictEqual(new Set(ended.map(({ end }) => end?.at)).size, 1)
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0 })
        }),
      withCredits
    ))

  it("has a record with each exclusion once", () =>
    runInHarness(
      ({ one, two }) =>
        Effect.gen(function* () {
          one.submitResults.push(
            failing({ kind: "rate_limited", status: 429, retryAfterMillis: 60_000 })
          )
          const provider = { ignore: ["three"], order: ["one", "two"] }
          const first = yield* submit({ provider })
          yield* advanceClock(2)
          assert.strictEqual((yield* find(first.id)).assignment?.provider, "two")
          const second = yield* submit({ provider })
          two.report = { status: "completed", outputs: [{ index: 0 }] }
          yield* advanceClock(minute)
          const [before, after] = yield* Effect.forEach([first, second], ({ id }) => recordOf(id))
          assert.deepStrictEqual(before?.rejected, [ignored])
          assert.strictEqual(before?.strategy, "order")
          assert.deepStrictEqual(
            after?.rejected.map(({ endpoint, rule }) => [endpoint, rule]),
            [
              ["a/film@three", "ignore"],
              ["a/film@one", "rate_limited"]
            ]
          )
          assert.isUndefined((yield* find(second.id)).plan)
        }),
      three
    ))

  it("that is cancelled before its submit has a record of its plan", () =>
    runInHarness(
      () =>
        Effect.gen(function* () {
          const { id } = yield* submit({ provider: { ignore: ["three"] } })
          yield* cancel(id)
          const record = yield* recordOf(id)
          assert.deepStrictEqual(record?.rejected, [ignored])
          assert.deepStrictEqual(record?.error, "VideoCancelled")
        }),
      three
    ))
})

/** A provider that starts to answer a poll and never ends. */
const makeHangingProvider = (polls: Array<string>, name: string) => ({
  poll: () =>
    Effect.suspend(() => {
      polls.push(name)
      return Effect.never
    })
})
const makeCompletingProvider = (polls: Array<string>, name: string) => ({
  poll: () =>
    Effect.sync(() => {
      polls.push(name)
      return { status: "completed", outputs: [{ index: 0 }] } as const
    })
})

const filmModel = {
  contentType: "video/mp4",
  bytes: Stream.make(new Uint8Array(3)),
  length: 3,
  contentRange: undefined,
  acceptsRanges: false
}

const makeMapBlobStore = (files: Map<string, string>): BlobStore => ({
  put: (name, bytes) =>
    Effect.tap(Stream.runDrain(bytes), () => Effect.sync(() => files.set(name, "whole"))),
  find: () => Effect.undefined,
  remove: (name) => Effect.sync(() => void files.delete(name))
})

/** More than the concurrency of polls. */
const manyJobs = pickScope({ full: 1_000, sample: 200 })

describe("a provider that hangs", () => {
  it("does not delay jobs of other providers, however many it has", () =>
    runInHarness(({ one, two }) =>
      Effect.gen(function* () {
        one.hangs = true
        two.report = { status: "completed", outputs: [{ index: 0 }] }
        yield* Effect.replicateEffect(submit(), manyJobs, { discard: true })
        yield* advanceClock(20)
        const { id } = yield* submit({ provider: { order: ["two"] } })
        yield* advanceClock(20)
        assert.strictEqual((yield* find(id)).status, "completed")
        yield* advanceClock(10 * minute)
        const later = yield* submit({ provider: { order: ["two"] } })
        yield* advanceClock(20)
        assert.strictEqual((yield* find(later.id)).status, "completed")
        assert.isAbove(one.polledAt.length, 20)
        assert.isBelow(one.polledAt.length, 60)
      })
    ))

  it("does not delay submits to other providers", () =>
    runInHarness(({ one, two }) =>
      Effect.gen(function* () {
        one.submitResults.push(...Array.from({ length: 999 }, () => Effect.never))
        yield* Effect.repeat(submit({ provider: { only: ["one"] } }), { times: 199 })
        yield* advanceClock(2 * minute)
        const { id } = yield* submit({ provider: { only: ["two"] } })
        yield* advanceClock(20)
        assert.lengthOf(two.submits, 1)
        assert.strictEqual((yield* find(id)).assignment?.provider, "two")
        one.submitResults.length = 0
        yield* advanceClock(20 * minute)
        assert.strictEqual(yield* countOf("pending"), 0)
        assert.isAtLeast(yield* countOf("in_progress"), 190)
      })
    ))

  it("is called ten times for a submit, however often the step was deferred", () =>
    runInHarness(({ one }) =>
      Effect.gen(function* () {
        one.submitResults.push(...Array.from({ length: 9_999 }, () => Effect.never))
        const ids = yield* Effect.replicateEffect(submit({ provider: { only: ["one"] } }), 12)
        yield* advanceClock(4 * hour)
        const jobs = yield* Effect.forEach(ids, ({ id }) => find(id))
        assert.deepStrictEqual(
          jobs.map(({ attempts, status }) => [status, attempts.length]),
          jobs.map(() => ["failed", 10])
        )
      })
    ))

  it("does not delay steps that call no provider while a provider hangs on submits", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          one.submitResults.push(...Array.from({ length: 999 }, () => Effect.never))
          const ids = yield* Effect.replicateEffect(submit({ provider: { only: ["one"] } }), 40)
          yield* advanceClock(75)
          const asked: Array<string> = []
          for (const { id } of ids) {
            if ((yield* find(id)).attempts.length > 0) asked.push(id)
          }
          assert.isAtLeast(asked.length, 8)
          for (const id of asked) yield* cancel(id)
          yield* advanceClock(3 * minute)
          const ended = yield* Effect.forEach(asked, find)
          assert.deepStrictEqual(
            ended.map(({ status }) => status),
            asked.map(() => "cancelled")
          )
        }),
      { withoutIdempotency: true }
    ))

  it("is polled for all of its jobs again once it answers", () =>
    runInHarness(({ one }) =>
      Effect.gen(function* () {
        one.hangs = true
        yield* Effect.repeat(submit(), { times: 99 })
        yield* advanceClock(10 * minute)
        one.hangs = false
        one.report = { status: "completed", outputs: [{ index: 0 }] }
        yield* advanceClock(10 * minute)
        assert.strictEqual(yield* countOf("completed"), 100)
      })
    ))

  it("does not delay the expiry of jobs", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          one.hangs = true
          yield* Effect.replicateEffect(submit(), manyJobs, { discard: true })
          yield* advanceClock(12 * minute)
          assert.strictEqual(yield* countOf("expired"), manyJobs)
        }),
      { settings: { videoTimeoutMillis: 10 * minute * 1_000 } }
    ))
})

describe("the files of a video job", () => {
  it("are deleted when the provider serves only some of them", () => {
    const files = new Map<string, string>()
    return runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          one.report = { status: "completed", outputs: [{ index: 0 }, { index: 1 }] }
          const { id } = yield* submit()
          yield* advanceClock(minute)
          assert.deepStrictEqual(Array.from(files.keys()), [`${id}-0`])
          yield* advanceClock(hour)
          assert.deepStrictEqual(Array.from(files.keys()), [])
          const { dueAt, end, status } = yield* find(id)
          assert.deepStrictEqual(
            [status, dueAt, end?.storedFiles],
            ["completed", undefined, undefined]
          )
        }),
      {
        options: { videoFiles: makeMapBlobStore(files) },
        capability: {
          getContent: ({ index }) =>
            index > 0 ? failing({ kind: "server_error", status: 500 }) : Effect.succeed(filmModel)
        }
      }
    )
  })
})

describe("the size of the files of a video job", () => {
  const endless = { ...filmModel, bytes: Stream.forever(filmModel.bytes), length: undefined }
  const settings = { maxVideoFileBytes: 10, maxVideoFileBytesPerAccount: 25 }

  it.each([
    ["that is endless and has no stated length", endless],
    ["whose stated length is too large", { ...endless, length: 11 }]
  ])("of a file %s is bounded: the provider has it, and the job says why", (_, content) => {
    const files = new Map<string, string>()
    let removed = 0
    const place: BlobStore = {
      ...makeMapBlobStore(files),
      remove: (name) =>
        Effect.tap(makeMapBlobStore(files).remove(name), () => Effect.sync(() => removed++))
    }
    return runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          one.report = { status: "completed", outputs: [{ index: 0 }, { index: 1 }] }
          const { id } = yield* submit()
          yield* advanceClock(2 * minute)
          const { contentBytes, dueAt, end, status } = yield* find(id)
          assert.deepStrictEqual(
            [status, dueAt, end?.storedFiles],
            ["completed", undefined, undefined]
          )
          assert.include(end?.notStoredReason, "more than 10 bytes (maxVideoFileBytes)")
          assert.isUndefined(contentBytes)
          assert.isAtLeast(removed, 2)
          assert.strictEqual(files.size, 0)
          const response = toVideoResponse(yield* find(id), { publicUrl: undefined })
          assert.strictEqual(response.content_notice, end?.notStoredReason)
          assert.lengthOf(response.unsigned_urls ?? [], 2)
          assert.isUndefined(response.error)
        }),
      {
        options: { videoFiles: place },
        settings,
        capability: { getContent: ({ index }) => Effect.succeed(index === 0 ? filmModel : content) }
      }
    )
  })

  it("is limited by the stated length of a file", () => {
    const files = new Map<string, string>()
    return runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          one.report = { status: "completed", outputs: [{ index: 0 }] }
          const { id } = yield* submit()
          yield* advanceClock(hour)
          const { contentBytes, dueAt, status } = yield* find(id)
          assert.deepStrictEqual([status, dueAt, contentBytes], ["completed", undefined, undefined])
          assert.strictEqual(files.size, 0)
        }),
      {
        options: { videoFiles: makeMapBlobStore(files) },
        settings,
        capability: { getContent: () => Effect.succeed({ ...endless, length: 3 }) }
      }
    )
  })

  it("is limited for an account, until files are deleted", () => {
    const files = new Map<string, string>()
    return runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          one.report = { status: "completed", outputs: [{ index: 0 }] }
          const ids = yield* Effect.replicateEffect(submit(), 5)
          yield* advanceClock(2 * minute)
          // Ten bytes are reserved for a file of unknown length, which has three bytes.
          const kept = yield* Effect.forEach(ids, ({ id }) => find(id))
          const bytes = kept.map(({ contentBytes = 0 }) => contentBytes)
          assert.isAtMost(
            bytes.reduce((sum, each) => sum + each, 0),
            25
          )
          assert.strictEqual(files.size, bytes.filter((each) => each === 3).length)
          assert.isAtLeast(files.size, 2)
          for (const { end } of kept.filter(({ contentBytes }) => contentBytes === undefined)) {
            assert.include(end?.notStoredReason, "25 bytes of files (maxVideoFileBytesPerAccount)")
          }
          yield* advanceClock(hour)
          assert.strictEqual(files.size, 0)
          const { id } = yield* submit()
          yield* advanceClock(2 * minute)
          assert.deepStrictEqual(Array.from(files.keys()), [`${id}-0`])
        }),
      {
        options: { videoFiles: makeMapBlobStore(files) },
        settings: { ...settings, videoContentRetentionMillis: 10 * minute * 1_000 },
        capability: { getContent: () => Effect.succeed({ ...filmModel, length: undefined }) }
      }
    )
  })
})

describe("a provider that hangs while its files are copied", () => {
  it("does not delay files of other providers", () => {
    const files = new Map<string, string>()
    let hangs = true
    return runInHarness(
      ({ one, two }) =>
        Effect.gen(function* () {
          one.report = { status: "completed", outputs: [{ index: 0 }] }
          two.report = one.report
          two.submitResults.push(Effect.succeed(accepted("of-two")))
          yield* Effect.repeat(submit(), { times: 49 })
          yield* advanceClock(20 * minute)
          const { id } = yield* submit({ provider: { order: ["two"] } })
          yield* advanceClock(2 * minute)
          assert.deepStrictEqual(Array.from(files.keys()), [`${id}-0`])
          hangs = false
          yield* advanceClock(hour)
          assert.strictEqual(files.size, 51)
        }),
      {
        options: { videoFiles: makeMapBlobStore(files) },
        capability: {
          getContent: ({ upstreamId }) =>
            upstreamId !== "of-two" && hangs ? Effect.never : Effect.succeed(filmModel)
        }
      }
    )
  })
})

describe("a blob store that hangs", () => {
  it("does not delay polls, and deletes its files once it answers", () => {
    const files = new Map<string, string>()
    let hangs = true
    const place: BlobStore = {
      ...makeMapBlobStore(files),
      remove: (name) =>
        Effect.suspend(() => (hangs ? Effect.never : makeMapBlobStore(files).remove(name)))
    }
    return runInHarness(
      ({ one, two }) =>
        Effect.gen(function* () {
          one.report = { status: "completed", outputs: [{ index: 0 }] }
          two.report = { status: "completed", outputs: [{ index: 0 }] }
          yield* Effect.repeat(submit(), { times: 99 })
          yield* advanceClock(12 * minute)
          assert.strictEqual(files.size, 100)
          const { id } = yield* submit({ provider: { order: ["two"] } })
          yield* advanceClock(30)
          assert.strictEqual((yield* find(id)).status, "completed")
          hangs = false
          yield* advanceClock(40 * minute)
          assert.strictEqual(files.size, 0)
        }),
      {
        options: { videoFiles: place },
        settings: { videoContentRetentionMillis: 10 * minute * 1_000 },
        capability: { getContent: () => Effect.succeed(filmModel) }
      }
    )
  })
})

describe("stored files after the host has removed its blob store", () => {
  it("are checked rarely until the job is purged", () => {
    const turns: Array<number> = []
    const stores = storesWith((kept) => ({
      claim: (claim) =>
        Effect.tap(kept.claim(claim), (claimed) =>
          Effect.sync(() => {
            for (const { end, version } of claimed) if (end !== undefined) turns.push(version)
          })
        ),
      // Acts as a process with a blob store.
      replace: (turn, after) =>
        kept.replace(
          turn,
          after.end === undefined ? after : { ...after, dueAt: after.end.contentUntil }
        )
    }))
    return runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          one.report = { status: "completed", outputs: [{ index: 0 }] }
          const { id } = yield* submit()
          yield* advanceClock(4 * hour)
          assert.isDefined((yield* find(id)).dueAt)
          assert.isAtLeast(turns.length, 2)
          assert.isAtMost(turns.length, 4)
        }),
      { options: { stores }, settings: { videoContentRetentionMillis: hour * 1_000 } }
    )
  })
})

describe("a poll of a video job", () => {
  it("that a closing process interrupts is continued by another one at once", () =>
    runInProcesses((start) =>
      Effect.gen(function* () {
        const polls: Array<string> = []
        const first = yield* start(makeHangingProvider(polls, "first"))
        const { id } = yield* Effect.provideContext(submit(), first.context)
        yield* advanceClock(30)
        assert.deepStrictEqual(polls, ["first"])
        yield* first.close
        const second = yield* start(makeCompletingProvider(polls, "second"))
        yield* advanceClock(2)
        assert.deepStrictEqual(polls, ["first", "second"])
        const { status } = yield* Effect.provideContext(find(id), second.context)
        assert.strictEqual(status, "completed")
        yield* second.close
      })
    ))

  it("of a killed process is continued by another one within 20 seconds", () =>
    runInProcesses((start) =>
      Effect.gen(function* () {
        const polls: Array<string> = []
        const first = yield* start(makeHangingProvider(polls, "first"))
        const { id } = yield* Effect.provideContext(submit(), first.context)
        yield* advanceClock(15)
        const second = yield* start(makeCompletingProvider(polls, "second"))
        yield* advanceClock(30)
        assert.deepStrictEqual(polls, ["first"])
        first.kill()
        yield* advanceClock(20)
        const { status } = yield* Effect.provideContext(find(id), second.context)
        assert.strictEqual(status, "completed")
        assert.deepStrictEqual(polls, ["first", "second"])
        yield* second.close
      })
    ))

  it("that takes longer than its claim is not run by another process", () =>
    runInProcesses((start) =>
      Effect.gen(function* () {
        const polls: Array<string> = []
        const slowly = {
          poll: () =>
            Effect.suspend(() => {
              polls.push("slowly")
              return Effect.delay(
                Effect.succeed({ status: "completed", outputs: [{ index: 0 }] } as const),
                "50 seconds"
              )
            })
        }
        const first = yield* start(slowly)
        const second = yield* start(slowly)
        const { id } = yield* Effect.provideContext(submit(), first.context)
        yield* advanceClock(minute + 10)
        assert.deepStrictEqual(polls, ["slowly"])
        const { status } = yield* Effect.provideContext(find(id), second.context)
        assert.strictEqual(status, "completed")
        yield* first.close
        yield* second.close
      })
    ))

  it.each([
    ["that is never answered", makeHangingProvider([], "none"), 0],
    [
      "that is never answered, nor is the stop,",
      { ...makeHangingProvider([], "none"), cancel: () => Effect.never },
      0.4
    ],
    [
      "that breaks its provider, as the stop does,",
      { poll: () => Effect.die("a bug"), cancel: () => Effect.die("a bug") },
      0.4
    ]
  ] as const)("%s lets its job expire all the same", (_, capability, settled) =>
    runInHarness(
      () =>
        Effect.gen(function* () {
          const { id } = yield* submit()
          yield* advanceClock(12 * minute)
          assert.strictEqual((yield* find(id)).status, "expired")
          assert.deepStrictEqual(yield* credits, { settled, reserved: 0 })
        }),
      { ...withCredits, settings: { videoTimeoutMillis: 10 * minute * 1_000 }, capability }
    )
  )
})
