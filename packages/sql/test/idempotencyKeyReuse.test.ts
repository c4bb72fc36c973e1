/** A video job whose key another one had until the middle of `add`. */
import { type VideoJob, VideoJobId, VideoStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { CurrentTransformer } from "effect/sql/Statement"
import { assert, it } from "vitest"
import { postgres, sqlite } from "../src/index.ts"
import { newSchema } from "./databases.ts"
import { videoJob } from "./fixtures.ts"

const repeat = { key: "k", fingerprint: "f" }

const job = (number: number): VideoJob =>
  videoJob(VideoJobId.make(`gen-vid-1767225600-${String(number).padStart(20, "0")}`), {
    idempotency: repeat
  })

it.each([
  ["SQLite", sqlite({ path: ":memory:" })],
  ["Postgres", postgres(newSchema())]
] as const)("%s keeps a job whose key was forgotten while it was added", (_, stores) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const store = yield* VideoStore
    yield* store.add(job(1), 9)
    let isForgotten = false
    const added = yield* store.add(job(2), 9).pipe(
      Effect.provideService(CurrentTransformer, (statement) => {
        const [text] = statement.compile()
        if (isForgotten || !text.startsWith("SELECT document")) return Effect.succeed(statement)
        isForgotten = true
        return Effect.as(Effect.orDie(sql`DELETE FROM video_jobs`), statement)
      })
    )
    assert.isTrue(isForgotten)
    assert.strictEqual(added.id, job(2).id)
    assert.deepStrictEqual(yield* store.find(job(2).id), job(2))
    assert.strictEqual((yield* store.add(job(3), 9)).id, job(2).id)
  }).pipe(Effect.provide(stores), Effect.runPromise)
)
