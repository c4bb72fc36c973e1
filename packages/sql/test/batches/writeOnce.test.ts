import { AccountId, defaultWorkspaceId, NanoUsd } from "@signalbox/core"
import { getCalendar, Settings, SpendCounters, Subject, type Stores } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { assert, describe, it } from "vitest"
import { writeOnce } from "../../src/batches/writeOnce.ts"
import { writeSpend } from "../../src/stores/spendCounters.ts"
import { emptyStores } from "../databases.ts"

describe.each(Object.entries(emptyStores({})))("a batch on %s", (_, database) => {
  /** Writes 4 nano-USD of a new account in batches, and returns what is counted. */
  const countSpend = (
    use: (
      sql: SqlClient,
      spend: Effect.Effect<void>
    ) => Effect.Effect<unknown, never, Stores | SqlClient>
  ) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const account = AccountId.make(crypto.randomUUID())
      const spender: Subject.Spender = { account, workspace: defaultWorkspaceId }
      const at = Date.now()
      const record = { spender, cost: NanoUsd.make(4n), isByok: false, at }
      yield* use(sql, writeSpend(sql, getCalendar(yield* Settings))([record]))
      const subject = Subject.fromWorkspace(spender)
      const found = yield* SpendCounters.use(({ findSpend }) => findSpend([subject], at))
      return found.get(subject)?.usage ?? 0n
    }).pipe(Effect.provide(database()), Effect.runPromise)

  it("whose answer was lost is counted once, however often it is repeated", async () => {
    const id = crypto.randomUUID()
    const usage = await countSpend((sql, spend) =>
      Effect.repeat(writeOnce(sql, id, spend), { times: 3 })
    )
    assert.strictEqual(usage, 4n)
  })

  it("that is repeated while its first attempt is running is counted once", async () => {
    const id = crypto.randomUUID()
    const usage = await countSpend((sql, spend) =>
      Effect.all([writeOnce(sql, id, spend), writeOnce(sql, id, spend)], {
        concurrency: "unbounded"
      })
    )
    assert.strictEqual(usage, 4n)
  })

  it("that was rolled back is written when it is repeated", async () => {
    const id = crypto.randomUUID()
    const usage = await countSpend((sql, spend) =>
      Effect.andThen(
        Effect.exit(writeOnce(sql, id, Effect.andThen(spend, Effect.die("no connection")))),
        writeOnce(sql, id, spend)
      )
    )
    assert.strictEqual(usage, 4n)
  })
})
