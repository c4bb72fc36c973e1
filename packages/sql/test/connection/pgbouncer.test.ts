import {
  TransactionContract,
  GenerationStoreContract,
  InternStoreContract,
  LedgerStoreContract,
  SpendCountersContract,
  WorkspaceStoreContract
} from "@signalbox/testing/contracts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, assert, describe, inject, it } from "vitest"
import { postgres } from "../../src/index.ts"
import { postgresLeaseTime } from "../databases.ts"
import { isPgBouncerInstalled, startPgBouncer } from "../PgBouncer.ts"

const pooler = isPgBouncerInstalled
  ? await startPgBouncer(inject("postgresUrl"), {
      ignoredParameters: "search_path",
      hasSearchPath: true
    })
  : undefined
afterAll(() => pooler?.[Symbol.asyncDispose]())

const getErrorMessage = (options: Parameters<typeof postgres>[0]) =>
  Effect.runPromise(
    Effect.map(Effect.flip(Effect.scoped(Layer.build(postgres(options)))), ({ message }) => message)
  )

describe.skipIf(!isPgBouncerInstalled)("behind PgBouncer, if installed", () => {
  describe("in transaction mode", () => {
    const { schema = "", url = "" } = pooler ?? {}
    const stores = postgres({ url, schema, prepare: false, batchIntervalMillis: 0 })
    TransactionContract("PgBouncer", stores, { leaseTime: postgresLeaseTime })
    GenerationStoreContract("PgBouncer", stores)
    InternStoreContract("PgBouncer", stores)
    LedgerStoreContract("PgBouncer", stores, { leaseTime: postgresLeaseTime })
    SpendCountersContract("PgBouncer", stores)
    WorkspaceStoreContract("PgBouncer", stores)
  })

  it("says what to do when the pooler drops search_path", async () => {
    await using other = await startPgBouncer(inject("postgresUrl"), {
      ignoredParameters: "search_path",
      hasSearchPath: false
    })
    const message = await getErrorMessage({ url: other.url, schema: other.schema, prepare: false })
    assert.include(message, `ALTER ROLE my_role SET search_path TO "${other.schema}"`)
  })

  it("says what to do when the pooler rejects search_path", async () => {
    await using other = await startPgBouncer(inject("postgresUrl"), {
      ignoredParameters: "extra_float_digits",
      hasSearchPath: true
    })
    const message = await getErrorMessage({ url: other.url, schema: other.schema, prepare: false })
    assert.include(message, "ignore_startup_parameters")
  })
})
