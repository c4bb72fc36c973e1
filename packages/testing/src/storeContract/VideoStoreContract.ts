/** A test suite for implementations of `VideoStore`. */
import {
  Transaction,
  ContentTooLarge,
  TooManyActiveJobs,
  type VideoJob,
  VideoJobId,
  VideoStore,
  stripInlineMedia
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { testOptimisticLock } from "./testOptimisticLock.ts"
import { makeRunTest } from "./makeRunTest.ts"

/** A job of a new account. */
export const makeJob = (changes: Partial<VideoJob> = {}): VideoJob => {
  const { account, keyHash, user, workspace } = fresh.makeSpender()
  return {
    id: VideoJobId.make(`gen-vid-1767225600-${crypto.randomUUID().replaceAll("-", "").slice(12)}`),
    version: 1,
    account,
    workspace,
    kind: "member",
    keyHash,
    user,
    mount: "/ai",
    model: "proof/video",
    request: {
      model: "proof/video",
      prompt: "日本 🚂",
      provider: { options: Object.fromEntries([["__proto__", { a: 1 }]]) }
    },
    bytes: 99,
    dimensions: { size: "1280x720", resolution: "720p" },
    status: "pending",
    createdAt: 1_767_225_600_123,
    deadlineAt: 1_767_312_000_123,
    candidates: ["proof/video@one", "proof/video@one#mine"],
    reservations: [{ reservation: "r-1", countsByok: false }],
    reservedUntil: 1_767_225_700_000,
    attempts: [
      { endpoint: "proof/video@one", provider: "One", outcome: "served", latencyMillis: 7 }
    ],
    polls: 0,
    failedPolls: 0,
    ...changes
  }
}

const endJob = (before: VideoJob, at = 1_767_225_700_000): VideoJob => ({
  ...Struct.omit(before, ["dueAt"]),
  status: "completed",
  version: before.version + 1,
  end: {
    at,
    contentUntil: at + 1,
    outputs: [{ index: 0, url: "https://one.example/0" }],
    cost: "12345678901234567890"
  }
})

const wholePage = { offset: 0, limit: 1_000 }

const tooManyJobs = new TooManyActiveJobs({ limit: 3 })

/** Earlier than any job of another test is due, so that a test claims only its own jobs. */
let pastTime = 0
const futureTime = (): number => ++pastTime

/** A job limit for the tests that are not about the limit. */
const maxJobs = 100

/** Declares the tests in a vitest file: `VideoStoreContract("postgres", layer)`. */
export const VideoStoreContract = (
  implementation: string,
  layer: Layer.Layer<Transaction | VideoStore, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`VideoStore: ${implementation}`, () => {
    it("stores each job as it was added", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const one = makeJob()
          assert.isUndefined(yield* store.find(one.id))
          assert.deepStrictEqual(yield* store.add(one, maxJobs), one)
          assert.deepStrictEqual(yield* store.find(one.id), one)
        })
      ))

    it("keeps one of several concurrent jobs with the same idempotency key, and returns it to all", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const { withTransaction } = yield* Transaction
          const idempotency = { key: crypto.randomUUID(), fingerprint: "f" }
          assert.isUndefined(yield* store.findByIdempotencyKey(idempotency.key))
          const jobs = Array.from({ length: 10 }, () => makeJob({ idempotency }))
          const stored = yield* Effect.forEach(
            jobs,
            (each) => withTransaction(store.add(each, maxJobs)),
            {
              concurrency: "unbounded"
            }
          )
          assert.strictEqual(new Set(stored.map(({ id }) => id)).size, 1)
          const [first] = stored
          assert.deepStrictEqual(yield* store.findByIdempotencyKey(idempotency.key), first)
          const found = yield* Effect.forEach(jobs, ({ id }) => store.find(id))
          assert.strictEqual(found.filter((each) => each !== undefined).length, 1)
        })
      ))

    it("limits the active jobs of an account, even under concurrent inserts", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const { withTransaction } = yield* Transaction
          const { account } = fresh.makeSpender()
          const rush = (count: number) =>
            Effect.forEach(
              Array.from({ length: count }, () => makeJob({ account })),
              (each) => Effect.result(withTransaction(store.add(each, 3))),
              { concurrency: "unbounded" }
            )
          const first = yield* rush(10)
          const [kept] = first.filter(Result.isSuccess).map(({ success }) => success)
          const refused = first.filter(Result.isFailure).map(({ failure }) => failure)
          assert.deepStrictEqual(
            refused,
            Array.from({ length: 7 }, () => tooManyJobs)
          )
          assert.strictEqual((yield* store.list(account, {}, wholePage)).total, 3)
          // Other accounts are unaffected.
          yield* store.add(makeJob(), 3)
          assert.isDefined(kept)
          if (kept !== undefined) yield* store.replace(kept.version, endJob(kept, 1_999))
          const second = yield* rush(10)
          assert.lengthOf(second.filter(Result.isSuccess), 1)
          // Purged jobs have ended before, and are not subtracted twice.
          yield* store.purgeEnded(2_000)
          assert.lengthOf((yield* rush(10)).filter(Result.isSuccess), 0)
          assert.strictEqual((yield* store.list(account, {}, wholePage)).total, 3)
        })
      ))

    it("returns the existing job of an idempotency key, even at the job limit", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const { withTransaction } = yield* Transaction
          const { account } = fresh.makeSpender()
          const idempotency = { key: crypto.randomUUID(), fingerprint: "f" }
          const jobs = Array.from({ length: 10 }, () => makeJob({ account, idempotency }))
          const stored = yield* Effect.forEach(
            jobs,
            (each) => withTransaction(store.add(each, 1)),
            {
              concurrency: "unbounded"
            }
          )
          assert.strictEqual(new Set(stored.map(({ id }) => id)).size, 1)
        })
      ))

    it("stores images with their job, and lists the job without them", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const { withTransaction } = yield* Transaction
          const { account } = fresh.makeSpender()
          const url = `data:image/png;base64,${"A".repeat(5_000)}`
          const request: VideoJob["request"] = {
            model: "proof/video",
            prompt: "so",
            frame_images: [{ type: "image_url", image_url: { url }, frame_type: "first_frame" }],
            input_references: [{ type: "image_url", image_url: { url } }]
          }
          const one = yield* withTransaction(
            store.add(makeJob({ account, request, dueAt: futureTime() }), maxJobs)
          )
          assert.deepStrictEqual(yield* store.find(one.id), one)
          const before = { ...one, version: 2 }
          assert.isTrue(yield* store.replace(1, before))
          assert.deepStrictEqual(yield* store.find(one.id), before)
          const listed = yield* store.list(account, {}, wholePage)
          assert.deepStrictEqual(listed, {
            rows: [{ ...before, request: stripInlineMedia(request) }],
            total: 1
          })
          assert.isBelow(JSON.stringify(listed).length, 2_000)
          const until = Number.MAX_SAFE_INTEGER
          const claimed = yield* store.claim({ now: pastTime, until, limit: 10 })
          assert.deepInclude(claimed, { ...before, version: 3, dueAt: until })
          const light = { ...before, version: 4, request: stripInlineMedia(request) }
          assert.isTrue(yield* store.replace(3, light))
          assert.deepStrictEqual(yield* store.find(one.id), light)
          yield* store.replace(4, endJob(light))
        })
      ))

    testOptimisticLock(
      run,
      VideoStore.useSync((store) => {
        const before = makeJob()
        const add = (row: VideoJob) => store.add(row, maxJobs)
        return { store: { ...store, add }, before, after: endJob(before) }
      })
    )

    it("claims each due job once, the longest due first, in a new version", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const [first, second, third] = [futureTime(), futureTime(), futureTime()]
          const late = makeJob({ dueAt: second })
          const early = makeJob({ dueAt: first })
          for (const each of [late, early, makeJob({ dueAt: third }), makeJob()])
            yield* store.add(each, maxJobs)
          const until = Number.MAX_SAFE_INTEGER
          assert.deepStrictEqual(yield* store.claim({ now: first - 1, until, limit: 10 }), [])
          const [taken] = yield* store.claim({ now: second, until, limit: 1 })
          assert.deepStrictEqual(taken, { ...early, version: 2, dueAt: until })
          assert.deepStrictEqual(yield* store.find(early.id), taken)
          const claims = yield* Effect.forEach(
            Array.from({ length: 10 }),
            () => store.claim({ now: second, until, limit: 10 }),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(claims.flat(), [{ ...late, version: 2, dueAt: until }])
        })
      ))

    it("rejects writes based on a version from before the claim", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const dueAt = futureTime()
          const before = yield* store.add(makeJob({ dueAt }), maxJobs)
          yield* store.claim({ now: dueAt, until: Number.MAX_SAFE_INTEGER, limit: 10 })
          assert.isFalse(yield* store.replace(before.version, endJob(before)))
        })
      ))

    it("reschedules a claimed job only in the version of that claim", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const dueAt = futureTime()
          const before = yield* store.add(makeJob({ dueAt }), maxJobs)
          const until = Number.MAX_SAFE_INTEGER
          const [first] = yield* store.claim({ now: dueAt, until, limit: 1 })
          assert.strictEqual(first?.id, before.id)
          const { id, version } = first ?? before
          assert.isFalse(yield* store.reschedule(id, before.version, dueAt))
          assert.isTrue(yield* store.reschedule(id, version, until - 1))
          assert.deepStrictEqual(yield* store.find(id), { ...before, version, dueAt: until - 1 })
          assert.isTrue(yield* store.reschedule(id, version, dueAt))
          const [second] = yield* store.claim({ now: dueAt, until, limit: 1 })
          assert.deepStrictEqual(second, { ...before, version: version + 1, dueAt: until })
          assert.isFalse(yield* store.reschedule(id, version, dueAt))
          assert.isTrue(
            yield* store.replace(version + 1, { ...endJob(before), version: version + 2 })
          )
          assert.isFalse(yield* store.reschedule(id, version + 1, dueAt))
          assert.isUndefined((yield* store.find(id))?.dueAt)
        })
      ))

    it("does not claim ended jobs", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const dueAt = futureTime()
          const before = yield* store.add(makeJob({ dueAt }), maxJobs)
          yield* store.replace(1, endJob(before))
          const claimed = yield* store.claim({ now: dueAt, until: dueAt + 1, limit: 1_000 })
          assert.notInclude(
            claimed.map(({ id }) => id),
            before.id
          )
        })
      ))

    it("lists the jobs of an account by workspace and status, newest first", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const { account, workspace } = fresh.makeSpender()
          const a = makeJob({ account, workspace })
          const b = makeJob({ account })
          const c = makeJob({ account, workspace })
          for (const each of [a, b, c, makeJob()]) yield* store.add(each, maxJobs)
          const done = endJob(a)
          yield* store.replace(a.version, done)
          const list = (filter: Parameters<typeof store.list>[1], offset = 0, limit = 10) =>
            store.list(account, filter, { offset, limit })
          assert.deepStrictEqual(yield* list({}), { rows: [c, b, done], total: 3 })
          assert.deepStrictEqual(yield* list({}, 1, 1), { rows: [b], total: 3 })
          assert.deepStrictEqual(yield* list({ workspace }), { rows: [c, done], total: 2 })
          assert.deepStrictEqual(yield* list({ status: "completed" }), { rows: [done], total: 1 })
          const both = { workspace, status: "pending" } as const
          assert.deepStrictEqual(yield* list(both), { rows: [c], total: 1 })
        })
      ))

    it("purges jobs that ended long ago and their idempotency keys, but no active jobs", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const idempotency = { key: crypto.randomUUID(), fingerprint: "f" }
          const [old, late, running] = [
            makeJob({ idempotency }),
            makeJob(),
            makeJob({ createdAt: 1 })
          ]
          for (const each of [old, late, running]) yield* store.add(each, maxJobs)
          yield* store.replace(1, endJob(old, 1_999))
          yield* store.replace(1, endJob(late, 2_000))
          yield* store.purgeEnded(2_000)
          assert.isUndefined(yield* store.find(old.id))
          assert.isUndefined(yield* store.findByIdempotencyKey(idempotency.key))
          assert.isDefined(yield* store.find(late.id))
          assert.isDefined(yield* store.find(running.id))
          const again = makeJob({ idempotency })
          assert.deepStrictEqual(yield* store.add(again, maxJobs), again)
        })
      ))

    it("reserves space for the files of an account up to its limit, even concurrently", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const { account } = fresh.makeSpender()
          const jobs = yield* Effect.replicateEffect(
            Effect.suspend(() => store.add(makeJob({ account }), maxJobs)),
            10
          )
          const reserve = ({ version, ...before }: VideoJob, contentBytes: number) =>
            Effect.result(
              store.reserveContent(
                version,
                { ...before, version: version + 1, contentBytes },
                3_000
              )
            )
          const rush = yield* Effect.forEach(jobs, (each) => reserve(each, 1_000), {
            concurrency: "unbounded"
          })
          assert.deepStrictEqual(
            rush.filter(Result.isSuccess).map(({ success }) => success),
            [true, true, true]
          )
          assert.deepStrictEqual(
            rush.filter(Result.isFailure).map(({ failure }) => failure),
            Array.from(
              { length: 7 },
              () => new ContentTooLarge({ scope: "account", maxBytes: 3_000 })
            )
          )
          const { rows } = yield* store.list(account, {}, wholePage)
          const full = rows.find(({ contentBytes }) => contentBytes === 1_000)
          const empty = rows.find(({ contentBytes }) => contentBytes === undefined)
          assert.isDefined(full)
          assert.isDefined(empty)
          if (full === undefined || empty === undefined) return
          // A job's own space is not counted twice, and a stale version is not written.
          assert.deepStrictEqual(yield* reserve({ ...full, version: 1 }, 0), Result.succeed(false))
          assert.deepStrictEqual(yield* reserve(full, 900), Result.succeed(true))
          assert.deepStrictEqual(yield* reserve(empty, 100), Result.succeed(true))
          assert.isTrue(Result.isFailure(yield* reserve({ ...empty, version: 2 }, 101)))
          // Released space can be reserved again, and other accounts are unaffected.
          const { contentBytes: _, ...without } = yield* Effect.map(
            store.find(full.id),
            (found) => found ?? full
          )
          assert.isTrue(yield* store.replace(3, { ...without, version: 4 }))
          assert.deepStrictEqual(
            yield* reserve({ ...empty, version: 2 }, 1_000),
            Result.succeed(true)
          )
          const stranger = yield* store.add(makeJob(), maxJobs)
          assert.deepStrictEqual(yield* reserve(stranger, 3_000), Result.succeed(true))
        })
      ))

    it("rolls back the writes of a failed transaction", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const { withTransaction } = yield* Transaction
          const kept = yield* store.add(makeJob(), maxJobs)
          const idempotency = { key: crypto.randomUUID(), fingerprint: "f" }
          const other = makeJob({ idempotency })
          const failing = (write: Effect.Effect<unknown, unknown>) =>
            Effect.flip(withTransaction(Effect.andThen(write, Effect.fail("no"))))
          yield* failing(store.add(other, maxJobs))
          yield* failing(store.replace(1, endJob(kept)))
          assert.isUndefined(yield* store.find(other.id))
          assert.isUndefined(yield* store.findByIdempotencyKey(idempotency.key))
          assert.deepStrictEqual(yield* store.find(kept.id), kept)
        })
      ))
  })
}
