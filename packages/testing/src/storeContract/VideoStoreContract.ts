/** What every `VideoStore` must do. */
import {
  Atomically,
  ContentTooLarge,
  TooManyUnfinished,
  type VideoJob,
  VideoJobId,
  VideoStore,
  withoutPictures
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { assert, describe, it } from "vitest"
import * as fresh from "./fresh.ts"
import { replacingByTurn } from "./replacingByTurn.ts"
import { runOn } from "./runOn.ts"

const job = (changes: Partial<VideoJob> = {}): VideoJob => {
  const { account, keyHash, user, workspace } = fresh.spender()
  return {
    id: VideoJobId.make(`gen-vid-1767225600-${crypto.randomUUID().replaceAll("-", "").slice(12)}`),
    turn: 1,
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
    held: [{ reservation: "r-1", countsByok: false }],
    heldUntil: 1_767_225_700_000,
    attempts: [
      { endpoint: "proof/video@one", provider: "One", outcome: "served", latencyMillis: 7 }
    ],
    polls: 0,
    unanswered: 0,
    ...changes
  }
}

const ended = (before: VideoJob, at = 1_767_225_700_000): VideoJob => ({
  ...Struct.omit(before, ["dueAt"]),
  status: "completed",
  turn: before.turn + 1,
  end: {
    at,
    contentUntil: at + 1,
    outputs: [{ index: 0, url: "https://one.example/0" }],
    cost: "12345678901234567890"
  }
})

const everything = { offset: 0, limit: 1_000 }

const tooMany = new TooManyUnfinished({ most: 3 })

/** Long before any job of anybody else is due, so that tests take only their own. */
let past = 0
const soon = (): number => ++past

/** How many of one account may go on, where that is not what is tried. */
const most = 100

/** Declares the tests in a vitest file: `VideoStoreContract("postgres", layer)`. */
export const VideoStoreContract = (
  implementation: string,
  layer: Layer.Layer<Atomically | VideoStore, unknown>
): void => {
  const run = runOn(layer)
  describe(`VideoStore: ${implementation}`, () => {
    it("keeps each job as it was given", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const one = job()
          assert.isUndefined(yield* store.find(one.id))
          assert.deepStrictEqual(yield* store.add(one, most), one)
          assert.deepStrictEqual(yield* store.find(one.id), one)
        })
      ))

    it("keeps one of several jobs with one key that come at once, and tells all of that one", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const { atomically } = yield* Atomically
          const repeat = { key: crypto.randomUUID(), fingerprint: "f" }
          assert.isUndefined(yield* store.findRepeated(repeat.key))
          const jobs = Array.from({ length: 10 }, () => job({ repeat }))
          const told = yield* Effect.forEach(jobs, (each) => atomically(store.add(each, most)), {
            concurrency: "unbounded"
          })
          assert.strictEqual(new Set(told.map(({ id }) => id)).size, 1)
          const [first] = told
          assert.deepStrictEqual(yield* store.findRepeated(repeat.key), first)
          const found = yield* Effect.forEach(jobs, ({ id }) => store.find(id))
          assert.strictEqual(found.filter((each) => each !== undefined).length, 1)
        })
      ))

    it("keeps no more that go on than an account may have, however many come at once", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const { atomically } = yield* Atomically
          const { account } = fresh.spender()
          const rush = (count: number) =>
            Effect.forEach(
              Array.from({ length: count }, () => job({ account })),
              (each) => Effect.result(atomically(store.add(each, 3))),
              { concurrency: "unbounded" }
            )
          const first = yield* rush(10)
          const [kept] = first.filter(Result.isSuccess).map(({ success }) => success)
          const refused = first.filter(Result.isFailure).map(({ failure }) => failure)
          assert.deepStrictEqual(
            refused,
            Array.from({ length: 7 }, () => tooMany)
          )
          assert.strictEqual((yield* store.list(account, {}, everything)).total, 3)
          // Another account is not concerned.
          yield* store.add(job(), 3)
          assert.isDefined(kept)
          if (kept !== undefined) yield* store.replace(kept.turn, ended(kept, 1_999))
          const second = yield* rush(10)
          assert.lengthOf(second.filter(Result.isSuccess), 1)
          // What is forgotten has ended before, and is not counted out twice.
          yield* store.forget(2_000)
          assert.lengthOf((yield* rush(10)).filter(Result.isSuccess), 0)
          assert.strictEqual((yield* store.list(account, {}, everything)).total, 3)
        })
      ))

    it("tells of the one that is kept under a key, also where no more may go on", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const { atomically } = yield* Atomically
          const { account } = fresh.spender()
          const repeat = { key: crypto.randomUUID(), fingerprint: "f" }
          const jobs = Array.from({ length: 10 }, () => job({ account, repeat }))
          const told = yield* Effect.forEach(jobs, (each) => atomically(store.add(each, 1)), {
            concurrency: "unbounded"
          })
          assert.strictEqual(new Set(told.map(({ id }) => id)).size, 1)
        })
      ))

    it("keeps pictures with their job, and lists it without them", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const { atomically } = yield* Atomically
          const { account } = fresh.spender()
          const url = `data:image/png;base64,${"A".repeat(5_000)}`
          const request: VideoJob["request"] = {
            model: "proof/video",
            prompt: "so",
            frame_images: [{ type: "image_url", image_url: { url }, frame_type: "first_frame" }],
            input_references: [{ type: "image_url", image_url: { url } }]
          }
          const one = yield* atomically(store.add(job({ account, request, dueAt: soon() }), most))
          assert.deepStrictEqual(yield* store.find(one.id), one)
          const before = { ...one, turn: 2 }
          assert.isTrue(yield* store.replace(1, before))
          assert.deepStrictEqual(yield* store.find(one.id), before)
          const listed = yield* store.list(account, {}, everything)
          assert.deepStrictEqual(listed, {
            rows: [{ ...before, request: withoutPictures(request) }],
            total: 1
          })
          assert.isBelow(JSON.stringify(listed).length, 2_000)
          const until = Number.MAX_SAFE_INTEGER
          const claimed = yield* store.claim({ now: past, until, limit: 10 })
          assert.deepInclude(claimed, { ...before, turn: 3, dueAt: until })
          const light = { ...before, turn: 4, request: withoutPictures(request) }
          assert.isTrue(yield* store.replace(3, light))
          assert.deepStrictEqual(yield* store.find(one.id), light)
          yield* store.replace(4, ended(light))
        })
      ))

    replacingByTurn(
      run,
      VideoStore.useSync((store) => {
        const before = job()
        const add = (row: VideoJob) => store.add(row, most)
        return { store: { ...store, add }, before, after: ended(before) }
      })
    )

    it("hands what is due to one of several, the longest due first, in its next turn", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const [first, second, third] = [soon(), soon(), soon()]
          const late = job({ dueAt: second })
          const early = job({ dueAt: first })
          for (const each of [late, early, job({ dueAt: third }), job()])
            yield* store.add(each, most)
          const until = Number.MAX_SAFE_INTEGER
          assert.deepStrictEqual(yield* store.claim({ now: first - 1, until, limit: 10 }), [])
          const [taken] = yield* store.claim({ now: second, until, limit: 1 })
          assert.deepStrictEqual(taken, { ...early, turn: 2, dueAt: until })
          assert.deepStrictEqual(yield* store.find(early.id), taken)
          const claims = yield* Effect.forEach(
            Array.from({ length: 10 }),
            () => store.claim({ now: second, until, limit: 10 }),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(claims.flat(), [{ ...late, turn: 2, dueAt: until }])
        })
      ))

    it("lets nobody write who read a job before it was claimed", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const dueAt = soon()
          const before = yield* store.add(job({ dueAt }), most)
          yield* store.claim({ now: dueAt, until: Number.MAX_SAFE_INTEGER, limit: 10 })
          assert.isFalse(yield* store.replace(before.turn, ended(before)))
        })
      ))

    it("says of one that was claimed when it is due again, in the turn of that claim alone", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const dueAt = soon()
          const before = yield* store.add(job({ dueAt }), most)
          const until = Number.MAX_SAFE_INTEGER
          const [first] = yield* store.claim({ now: dueAt, until, limit: 1 })
          assert.strictEqual(first?.id, before.id)
          const { id, turn } = first ?? before
          assert.isFalse(yield* store.reschedule(id, before.turn, dueAt))
          assert.isTrue(yield* store.reschedule(id, turn, until - 1))
          assert.deepStrictEqual(yield* store.find(id), { ...before, turn, dueAt: until - 1 })
          assert.isTrue(yield* store.reschedule(id, turn, dueAt))
          const [second] = yield* store.claim({ now: dueAt, until, limit: 1 })
          assert.deepStrictEqual(second, { ...before, turn: turn + 1, dueAt: until })
          assert.isFalse(yield* store.reschedule(id, turn, dueAt))
          assert.isTrue(yield* store.replace(turn + 1, { ...ended(before), turn: turn + 2 }))
          assert.isFalse(yield* store.reschedule(id, turn + 1, dueAt))
          assert.isUndefined((yield* store.find(id))?.dueAt)
        })
      ))

    it("claims nothing that is over", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const dueAt = soon()
          const before = yield* store.add(job({ dueAt }), most)
          yield* store.replace(1, ended(before))
          const claimed = yield* store.claim({ now: dueAt, until: dueAt + 1, limit: 1_000 })
          assert.notInclude(
            claimed.map(({ id }) => id),
            before.id
          )
        })
      ))

    it("lists those of an account, the latest first, by workspace and status", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const { account, workspace } = fresh.spender()
          const a = job({ account, workspace })
          const b = job({ account })
          const c = job({ account, workspace })
          for (const each of [a, b, c, job()]) yield* store.add(each, most)
          const done = ended(a)
          yield* store.replace(a.turn, done)
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

    it("forgets what ended long ago, its key too, and nothing that goes on", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const repeat = { key: crypto.randomUUID(), fingerprint: "f" }
          const [old, late, running] = [job({ repeat }), job(), job({ createdAt: 1 })]
          for (const each of [old, late, running]) yield* store.add(each, most)
          yield* store.replace(1, ended(old, 1_999))
          yield* store.replace(1, ended(late, 2_000))
          yield* store.forget(2_000)
          assert.isUndefined(yield* store.find(old.id))
          assert.isUndefined(yield* store.findRepeated(repeat.key))
          assert.isDefined(yield* store.find(late.id))
          assert.isDefined(yield* store.find(running.id))
          const again = job({ repeat })
          assert.deepStrictEqual(yield* store.add(again, most), again)
        })
      ))

    it("sets room aside for the files of an account up to its limit, however many come at once", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const { account } = fresh.spender()
          const jobs = yield* Effect.replicateEffect(
            Effect.suspend(() => store.add(job({ account }), most)),
            10
          )
          const reserve = ({ turn, ...before }: VideoJob, contentBytes: number) =>
            Effect.result(
              store.reserveContent(turn, { ...before, turn: turn + 1, contentBytes }, 3_000)
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
              () => new ContentTooLarge({ of: "account", mostBytes: 3_000 })
            )
          )
          const { rows } = yield* store.list(account, {}, everything)
          const full = rows.find(({ contentBytes }) => contentBytes === 1_000)
          const empty = rows.find(({ contentBytes }) => contentBytes === undefined)
          assert.isDefined(full)
          assert.isDefined(empty)
          if (full === undefined || empty === undefined) return
          // Its own room is not counted twice, and what was read before it is not written.
          assert.deepStrictEqual(yield* reserve({ ...full, turn: 1 }, 0), Result.succeed(false))
          assert.deepStrictEqual(yield* reserve(full, 900), Result.succeed(true))
          assert.deepStrictEqual(yield* reserve(empty, 100), Result.succeed(true))
          assert.isTrue(Result.isFailure(yield* reserve({ ...empty, turn: 2 }, 101)))
          // What is let go of makes room, and another account has its own.
          const { contentBytes: _, ...without } = yield* Effect.map(
            store.find(full.id),
            (found) => found ?? full
          )
          assert.isTrue(yield* store.replace(3, { ...without, turn: 4 }))
          assert.deepStrictEqual(yield* reserve({ ...empty, turn: 2 }, 1_000), Result.succeed(true))
          const stranger = yield* store.add(job(), most)
          assert.deepStrictEqual(yield* reserve(stranger, 3_000), Result.succeed(true))
        })
      ))

    it("takes back what an atomic effect wrote that failed", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VideoStore
          const { atomically } = yield* Atomically
          const kept = yield* store.add(job(), most)
          const repeat = { key: crypto.randomUUID(), fingerprint: "f" }
          const other = job({ repeat })
          const failing = (write: Effect.Effect<unknown, unknown>) =>
            Effect.flip(atomically(Effect.andThen(write, Effect.fail("no"))))
          yield* failing(store.add(other, most))
          yield* failing(store.replace(1, ended(kept)))
          assert.isUndefined(yield* store.find(other.id))
          assert.isUndefined(yield* store.findRepeated(repeat.key))
          assert.deepStrictEqual(yield* store.find(kept.id), kept)
        })
      ))
  })
}
