/** A video job whose idempotency key belonged to another job until the middle of `add`. */
import { type VideoJob, VideoJobId, VideoStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { CurrentTransformer } from "effect/sql/Statement"
import { assert, it } from "vitest"
import { emptyStores } from "../databases.ts"
import { videoJob } from "../fixtures.ts"

const idempotency = { key: "k", fingerprint: "f" }

const job = (number: number): VideoJob =>
  videoJob(VideoJobId.make(`gen-vid-1767225600-${String(number).padStart(20, "0")}`), {
    idempotency
  })

it.each(Object.entries(emptyStores()))(
  "%s adds a job when the job that held its key is purged during the call",
  (_, stores) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* VideoStore
      yield* store.add(job(1), 9)
      let isPurged = false
      const added = yield* store.add(job(2), 9).pipe(
        Effect.provideService(CurrentTransformer, (statement) => {
          const [text] = statement.compile()
          if (isPurged || !text.startsWith("SELECT document")) return Effect.succeed(statement)
          isPurged = true
          return Effect.as(Effect.orDie(sql`DELETE FROM video_jobs`), statement)
        })
      )
      assert.isTrue(isPurged)
      assert.strictEqual(added.id, job(2).id)
      assert.deepStrictEqual(yield* store.find(job(2).id), job(2))
      assert.strictEqual((yield* store.add(job(3), 9)).id, job(2).id)
    }).pipe(Effect.provide(stores()), Effect.runPromise)
)
