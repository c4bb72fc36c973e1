import { make } from "@signalbox/core/adapter"
import {
  Transaction,
  defaultAccountId,
  type Generation,
  generationCodec,
  GenerationId,
  GenerationStore,
  NanoUsd
} from "@signalbox/core/stores"
import type { Upstream } from "@signalbox/core/upstream"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { assert, test } from "vitest"
import { sqlite } from "../../src/sqlite.ts"
import { offlinePlatform } from "../offlinePlatform.ts"

const coin: Upstream = {
  slug: "coin",
  name: "Coin",
  decisions: {
    decide: () =>
      Effect.succeed({
        verdicts: new Map([["heads", { weights: [1, 1] }]]),
        usage: { inputTokens: 1, outputTokens: 1 },
        method: "uniform"
      }),
    estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
  }
}

test("a host can replace one store of SQLite and use a table of its own", async () => {
  const foundDocuments: Array<string> = []
  const customStore = Layer.effect(
    GenerationStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { withTransaction } = yield* Transaction
      yield* sql`CREATE TABLE archive (id TEXT PRIMARY KEY, document TEXT NOT NULL)`
      return GenerationStore.of({
        record: (generations) =>
          Effect.orDie(
            withTransaction(
              Effect.forEach(
                generations,
                ({ id, model }) =>
                  sql`INSERT INTO archive ${sql.insert({ id, document: model ?? "" })}`,
                { discard: true }
              )
            )
          ),
        find: (_account, id) =>
          Effect.orDie(
            Effect.map(sql`SELECT document FROM archive WHERE id = ${id}`, (rows) => {
              foundDocuments.push(...rows.map(({ document }) => String(document)))
              return undefined as Generation | undefined
            })
          ),
        list: () => Effect.succeed({ rows: [] }),
        listSessions: () => Effect.succeed({ rows: [] }),
        scan: () => Effect.succeed({ rows: [] })
      })
    })
  )
  const instance = await make(
    {
      stores: Layer.provideMerge(customStore, sqlite({ path: ":memory:" })),
      upstreams: [coin],
      models: [{ id: "a/coin", endpoints: [{ provider: "coin", price: {} }] }],
      keys: [{ key: "sk-one", kind: "organization" }]
    },
    offlinePlatform
  )
  const { id } = await instance.decide({
    model: "a/coin",
    state: "?",
    questions: { heads: { type: "noul", instructions: "Heads?" } }
  })
  const headers = { authorization: "Bearer sk-one" }
  const { status } = await instance.fetch(
    new Request(`http://host/api/v1/generation?id=${id}`, { headers })
  )
  await instance.close()
  assert.strictEqual(status, 404)
  assert.deepStrictEqual(foundDocuments, ["a/coin"])
})

test("SQLite stores a generation as its codec encodes it", async () => {
  const instance = await make(
    {
      stores: sqlite({ path: ":memory:", batchIntervalMillis: 0 }),
      settings: { recordDelayMillis: 0 },
      upstreams: [coin],
      models: [
        {
          id: "a/coin",
          endpoints: [{ provider: "coin", price: { prompt: "0.001", completion: "0.001" } }]
        }
      ]
    },
    offlinePlatform
  )
  const { id } = await instance.decide({
    model: "a/coin",
    state: "?",
    questions: { heads: { type: "noul", instructions: "Heads?" } }
  })
  const { generation, row } = await Effect.runPromise(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* GenerationStore
      const [found] = yield* sql`SELECT document FROM generations WHERE id = ${id}`
      return {
        row: found,
        generation: yield* store.find(defaultAccountId, GenerationId.make(id ?? ""))
      }
    }).pipe(
      // `sqlite` provides the client too, which the type of an instance does not say.
      Effect.provideContext(
        instance.context as Context.Context<GenerationStore | SqlClient.SqlClient>
      )
    )
  )
  await instance.close()
  assert.isDefined(generation)
  assert.strictEqual(generation.cost, NanoUsd.make(2_000_000n))
  assert.deepStrictEqual(
    JSON.parse(String(row?.["document"])),
    Schema.encodeSync(generationCodec)(generation)
  )
})
