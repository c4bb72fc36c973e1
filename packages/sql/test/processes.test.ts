import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { AccountId, NanoUsd } from "@signalbox/core"
import { AccountStore, LedgerStore, type Limit } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { CurrentTransformer } from "effect/sql/Statement"
import { assert, describe, it } from "vitest"
import { bundleProgram } from "../../../vitest.programs.ts"
import { postgres, sqlite } from "../src/index.ts"
import { newFile, newSchema } from "./databases.ts"

/** Starts a process on the file, and waits for the first line it prints. */
const start = async (task: "hold" | "migrate", path: string) => {
  const child = spawn(
    process.execPath,
    [await bundleProgram(join(import.meta.dirname, "fileLockProcess.ts")), task, path],
    {
      stdio: ["ignore", "pipe", "inherit"]
    }
  )
  const [output] = await once(child.stdout, "data")
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL")
    await once(child, "close")
  }
  return { firstLine: String(output).trim(), kill, ended: once(child, "close") }
}

const findStoredAccount = AccountStore.use((store) => store.get(AccountId.make("stored")))

describe("a SQLite file", () => {
  it("serves one process at a time, and is intact and free again when that process is killed", async () => {
    const path = newFile()
    const first = await start("hold", path)
    assert.strictEqual(first.firstLine, "holding")
    const second = await start("hold", path)
    assert.strictEqual(second.firstLine, "FileInUse")
    await second.ended
    await first.kill()
    const found = await Effect.runPromise(Effect.provide(findStoredAccount, sqlite({ path })))
    assert.deepStrictEqual(found, { id: AccountId.make("stored"), zdr: true })
  })

  it("keeps the old schema when the process that migrates it is killed", async () => {
    const path = newFile()
    const migrating = await start("migrate", path)
    assert.strictEqual(migrating.firstLine, "migrating")
    await migrating.kill()
    const found = await Effect.runPromise(Effect.provide(findStoredAccount, sqlite({ path })))
    assert.deepStrictEqual(found, { id: AccountId.make("stored") })
  })

  it("can be opened once the process that holds it ends", async () => {
    const path = newFile()
    const first = await start("hold", path)
    const waiting = Effect.runPromise(
      Effect.provide(findStoredAccount, sqlite({ path, lockWaitMillis: 10_000 }))
    )
    await first.kill()
    assert.propertyVal(await waiting, "zdr", true)
  })
})

const limit = (id: number): Limit => ({
  kind: "guardrail",
  id: `limit-${id}`,
  interval: "lifetime",
  window: "lifetime",
  endsAt: Infinity,
  cap: NanoUsd.make(40n),
  countsByok: false
})
const limits = Array.from({ length: 6 }, (_, id) => limit(id))

/** Reserves under limits, in an order and with an ending that depend only on `n`. */
const reserveConcurrently = (ledger: LedgerStore["Service"], n: number) =>
  Effect.gen(function* () {
    const chosen = limits.filter((_, i) => (n * 7 + i * 5) % 3 > 0)
    const ordered = n % 2 === 0 ? chosen : chosen.toReversed()
    const id = yield* ledger.reserve({
      account: AccountId.make("default"),
      limits: ordered,
      amount: NanoUsd.make(BigInt(n % 5)),
      leaseMillis: n % 4 === 0 ? 1 : 60_000
    })
    if (n % 4 === 1) yield* ledger.settle(id, NanoUsd.make(BigInt(n % 7)))
    if (n % 4 === 2) yield* ledger.release(id)
  })

describe("several processes on Postgres", () => {
  it("never deadlock and never exceed a limit while reservations end and expire", async () => {
    const stores = postgres(newSchema())
    const pools = 4
    const usages = await Effect.gen(function* () {
      const ledgers: Array<LedgerStore["Service"]> = []
      for (let pool = 0; pool < pools; pool++) {
        ledgers.push(Context.get(yield* Layer.build(Layer.fresh(stores)), LedgerStore))
      }
      const exits = yield* Effect.forEach(
        Array.from({ length: 600 }, (_, n) => n),
        (n) => Effect.exit(reserveConcurrently(ledgers[n % pools]!, n)),
        { concurrency: 40 }
      )
      const defects = exits.filter((exit) => Exit.hasDies(exit))
      assert.deepStrictEqual(defects, [])
      assert.isAbove(exits.filter(Exit.isSuccess).length, 20)
      return yield* Effect.forEach(limits, ledgers[0]!.getUsage)
    }).pipe(Effect.scoped, Effect.runPromise)
    for (const { reserved, settled } of usages) {
      assert.isAtMost(Number(settled + reserved), 40)
      assert.isAtLeast(Number(reserved), 0)
      assert.isAbove(Number(settled), 0)
    }
  })

  it("reserve, settle and release in one round trip each", () =>
    Effect.gen(function* () {
      const ledger = yield* LedgerStore
      const statements: Array<string> = []
      const captureStatements = Effect.provideService(CurrentTransformer, (statement) => {
        statements.push(statement.compile()[0])
        return Effect.succeed(statement)
      })
      const reserve = ledger.reserve({
        account: AccountId.make("default"),
        limits,
        amount: NanoUsd.make(1n),
        leaseMillis: 60_000
      })
      const [first, second] = [yield* captureStatements(reserve), yield* captureStatements(reserve)]
      yield* captureStatements(ledger.settle(first, NanoUsd.make(1n)))
      yield* captureStatements(ledger.release(second))
      assert.lengthOf(statements, 4)
      assert.isTrue(statements.every((text) => text.startsWith("SELECT")))
    }).pipe(Effect.provide(postgres(newSchema())), Effect.runPromise))

  it("get an error without the password when Postgres is down", async () => {
    const error = await Effect.runPromise(
      Effect.flip(
        Effect.provide(
          findStoredAccount,
          postgres({ url: "postgres://me:secret-word@127.0.0.1:1/nothing" })
        )
      )
    )
    assert.propertyVal(error, "_tag", "StorageUnavailable")
    assert.match(error.message, /^cannot use Postgres at 127\.0\.0\.1:1\/nothing: ./)
    assert.notInclude(JSON.stringify(error) + error.message, "secret-word")
  })
})
