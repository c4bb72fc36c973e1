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
import { postgres, sqlite } from "../src/index.ts"
import { newFile, newSchema } from "./databases.ts"

/** Starts a process on the file; resolves with the first line it prints. */
const start = async (task: "hold" | "migrate", path: string) => {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "fileLockProcess.ts"), task, path],
    {
      stdio: ["ignore", "pipe", "inherit"]
    }
  )
  const [said] = await once(child.stdout, "data")
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL")
    await once(child, "close")
  }
  return { said: String(said).trim(), kill, ended: once(child, "close") }
}

const findStoredAccount = AccountStore.use((store) => store.get(AccountId.make("kept")))

describe("a SQLite file and its processes", () => {
  it("is one's at a time, and free again with all in it when that one is killed", async () => {
    const path = newFile()
    const first = await start("hold", path)
    assert.strictEqual(first.said, "holding")
    const second = await start("hold", path)
    assert.strictEqual(second.said, "FileInUse")
    await second.ended
    await first.kill()
    const found = await Effect.runPromise(Effect.provide(findStoredAccount, sqlite({ path })))
    assert.deepStrictEqual(found, { id: AccountId.make("kept"), zdr: true })
  })

  it("has the old schema when the process that migrates it is killed", async () => {
    const path = newFile()
    const migrating = await start("migrate", path)
    assert.strictEqual(migrating.said, "migrating")
    await migrating.kill()
    const found = await Effect.runPromise(Effect.provide(findStoredAccount, sqlite({ path })))
    assert.deepStrictEqual(found, { id: AccountId.make("kept") })
  })

  it("waits for the process before it to end", async () => {
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

/** The same for every run: which limits, in which order, and how it ends. */
const reserveConcurrently = (ledger: LedgerStore["Service"], turn: number) =>
  Effect.gen(function* () {
    const chosen = limits.filter((_, i) => (turn * 7 + i * 5) % 3 > 0)
    const ordered = turn % 2 === 0 ? chosen : chosen.toReversed()
    const id = yield* ledger.reserve({
      account: AccountId.make("default"),
      limits: ordered,
      amount: NanoUsd.make(BigInt(turn % 5)),
      leaseMillis: turn % 4 === 0 ? 1 : 60_000
    })
    if (turn % 4 === 1) yield* ledger.settle(id, NanoUsd.make(BigInt(turn % 7)))
    if (turn % 4 === 2) yield* ledger.release(id)
  })

describe("several processes on Postgres", () => {
  it("never lock each other up, and never go beyond a limit, while reservations end and lapse", async () => {
    const stores = postgres(newSchema())
    const pools = 4
    const usages = await Effect.gen(function* () {
      const ledgers: Array<LedgerStore["Service"]> = []
      for (let pool = 0; pool < pools; pool++) {
        ledgers.push(Context.get(yield* Layer.build(Layer.fresh(stores)), LedgerStore))
      }
      const exits = yield* Effect.forEach(
        Array.from({ length: 600 }, (_, turn) => turn),
        (turn) => Effect.exit(reserveConcurrently(ledgers[turn % pools]!, turn)),
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

  it("reserve, settle and release money in one round trip each", () =>
    Effect.gen(function* () {
      const ledger = yield* LedgerStore
      const sent: Array<string> = []
      const counted = Effect.provideService(CurrentTransformer, (statement) => {
        sent.push(statement.compile()[0])
        return Effect.succeed(statement)
      })
      const reserve = ledger.reserve({
        account: AccountId.make("default"),
        limits,
        amount: NanoUsd.make(1n),
        leaseMillis: 60_000
      })
      const [first, second] = [yield* counted(reserve), yield* counted(reserve)]
      yield* counted(ledger.settle(first, NanoUsd.make(1n)))
      yield* counted(ledger.release(second))
      assert.lengthOf(sent, 4)
      assert.isTrue(sent.every((text) => text.startsWith("SELECT")))
    }).pipe(Effect.provide(postgres(newSchema())), Effect.runPromise))

  it("are told that there is no Postgres, without the password", async () => {
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
