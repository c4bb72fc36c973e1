/** A person is erased from every column of every table. */
import type { CallerConfig, Options } from "@signalbox/core"
import { make } from "@signalbox/core/adapter"
import type { Upstream } from "@signalbox/core/upstream"
import { CredentialStore, defaultAccountId, type Stores } from "@signalbox/core/stores"
import { namePerson } from "@signalbox/testing/contracts"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { SafeIntegers, SqlClient } from "effect/sql/SqlClient"
import { assert, describe, it } from "vitest"
import { emptyStores } from "../databases.ts"
import { credential } from "../fixtures.ts"
import { offlinePlatform } from "../offlinePlatform.ts"

const coin: Upstream = {
  slug: "coin",
  name: "Coin",
  decisions: {
    decide: () =>
      Effect.succeed({
        verdicts: new Map([["heads", { weights: [1, 1] }]]),
        usage: { inputTokens: 1, outputTokens: 1 },
        method: "native"
      }),
    estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
  }
}

const options = {
  upstreams: [coin],
  models: [
    {
      id: "a/coin",
      endpoints: [{ provider: "coin", price: { prompt: "0.001", completion: "0.001" } }]
    }
  ],
  settings: { rollupPairs: ["user,model", "workspace,user", "tag:customer,model"] },
  sealing: { current: "k", keys: { k: Buffer.alloc(32, 7).toString("base64") } }
} satisfies Partial<Options>

const user = 'ada.lovelace-7f3e "the first" \\ é😀'
const externalUser = "charles.babbage-91ab"

/** The forms that JSON in JSON and the keys of tables give a text. */
const listForms = (text: string): ReadonlyArray<string> => {
  const once = JSON.stringify(text).slice(1, -1)
  const twice = JSON.stringify(once).slice(1, -1)
  const forms = [text, once, twice]
  return [...forms, ...forms.map((form) => form.replaceAll("\\", "\\005c"))]
}

/** Every row of every table as text, by table. */
const dumpTables = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql.onDialectOrElse({
    pg: () => sql<{ name: string }>`SELECT tablename AS name FROM pg_tables
      WHERE schemaname = current_schema()`,
    orElse: () => sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`
  })
  return yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(sql`SELECT * FROM ${sql(name)}`, (rows) => ({
      name,
      cells: rows.flatMap((row) => Object.values(row).map((cell) => toText(cell)))
    }))
  )
}).pipe(Effect.provideService(SafeIntegers, true))

const toText = (cell: unknown): string =>
  cell instanceof Uint8Array ? new TextDecoder().decode(cell) : String(cell)

describe.each(["SQLite", "Postgres"] as const)("erasing a person on %s", (database) => {
  it("leaves the name in no column of any table, and every sum as it was", async () => {
    const instance = await make({ ...options, stores: emptyStores()[database]() }, offlinePlatform)
    // Both provide the client too, which the type of an instance does not say.
    const run = <A, E>(effect: Effect.Effect<A, E, Stores | SqlClient>) =>
      Effect.runPromise(
        Effect.provideContext(effect, instance.context as Context.Context<Stores | SqlClient>)
      )
    const ada: CallerConfig = { kind: "member", user, limit: 5, limitReset: "daily" }
    const manager: CallerConfig = { kind: "management", user }
    const decide = (caller: CallerConfig) =>
      instance.decide(
        {
          model: "a/coin",
          state: "?",
          questions: { heads: { type: "noul", instructions: "Heads?" } },
          user: externalUser,
          session_id: `session of ${user}`,
          trace: { trace_name: `trace of ${user} and ${externalUser}` }
        },
        { caller }
      )
    await decide(ada)
    await decide({ kind: "organization", tags: { customer: user } })
    await instance.workspaces.create({ name: "Hers", slug: "hers" }, { caller: manager })
    await instance.workspaces.addMembers({ id: "hers", user_ids: [user] }, { caller: manager })
    const { data: theirs } = await instance.keys.create(
      { name: "hers", creator_user_id: user, external: { user: externalUser } },
      { caller: manager }
    )
    await instance.keys.create({ name: "made by her", creator_user_id: null }, { caller: manager })
    const { data: guardrail } = await instance.guardrails.create(
      { name: "hers", limit_usd: 3, reset_interval: "daily" },
      { caller: manager }
    )
    await instance.guardrails.assignMembers(
      { id: guardrail.id, member_user_ids: [user] },
      { caller: manager }
    )
    for (const scope of [
      { external_user: externalUser },
      { tag: { customer: user } },
      { external_user: "*" },
      { tag: { customer: "*" } }
    ]) {
      await instance.budgets.create(
        { scope, limit_usd: 5, reset_interval: "daily" },
        { caller: manager }
      )
    }
    await decide(ada)
    await decide({ kind: "organization", tags: { customer: user } })
    await run(
      CredentialStore.use((store) => {
        const made = credential()
        return store.insert(defaultAccountId, {
          ...made,
          credential: { ...made.credential, allowed_user_ids: [user, "another"] }
        })
      })
    )
    await run(namePerson(defaultAccountId, user, externalUser))
    const readTotals = async () => {
      const { data } = await instance.series.get({
        group_by: "total",
        from: "2026-01-01",
        interval: "day"
      })
      return data.series.map(({ totals }) => [totals.requests, totals.cost])
    }
    const totals = await readTotals()

    const exported = await instance.people.export({ user })
    assert.lengthOf(exported.data.records, 3)
    assert.lengthOf(exported.data.keys, 1)
    assert.lengthOf(exported.data.memberships, 1)
    assert.lengthOf(exported.data.failed_requests, 1)
    assert.lengthOf(exported.data.videos, 1)
    assert.isAbove(exported.data.changes.length, 4)
    assert.isAbove(exported.data.spend.usage, 0)

    const erased = await instance.people.erase({ user })
    assert.match(erased.data.pseudonym ?? "", /^erased-[0-9a-f-]{36}$/)
    assert.strictEqual(erased.data.keys_revoked, 1)
    assert.strictEqual(erased.data.memberships_removed, 1)
    const erasedExternal = await instance.people.erase({ external_user: externalUser })
    assert.isAbove(erasedExternal.data.rows_changed, 0)

    for (const { cells, name } of await run(dumpTables)) {
      for (const form of [...listForms(user), ...listForms(externalUser)]) {
        const cell = cells.find((each) => each.includes(form))
        if (cell !== undefined) assert.fail(`${name} has ${form}: ${cell}`)
      }
    }
    assert.deepStrictEqual(await readTotals(), totals)
    const keys = await instance.keys.list({ include_disabled: true })
    assert.notInclude(
      keys.data.map(({ hash }) => hash),
      theirs.hash
    )
    const again = await instance.people.erase({ user })
    assert.deepStrictEqual(again.data, {
      pseudonym: null,
      keys_revoked: 0,
      memberships_removed: 0,
      rows_changed: 0
    })
    const { data: audit } = await instance.audit.list({ limit: 100 })
    assert.deepStrictEqual(
      audit.flatMap(({ action, target }) => (action === "person.erase" ? [target] : [])),
      [erasedExternal.data.pseudonym, erased.data.pseudonym]
    )
    await instance.close()
  })

  it("refuses a person whose records are held, and changes nothing", async () => {
    const instance = await make(
      {
        ...options,
        stores: emptyStores()[database](),
        legalHold: ({ account, user: held }) => account === "default" && held === user
      },
      offlinePlatform
    )
    await instance.decide(
      {
        model: "a/coin",
        state: "?",
        questions: { heads: { type: "noul", instructions: "Heads?" } }
      },
      { caller: { kind: "member", user } }
    )
    const refused = await instance.people.erase({ user }).then(
      () => undefined,
      (error: unknown) => error
    )
    assert.strictEqual((refused as { status?: number } | undefined)?.status, 409)
    const { data } = await instance.people.export({ user })
    assert.lengthOf(data.records, 1)
    await instance.close()
  })
})
