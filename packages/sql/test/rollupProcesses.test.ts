import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { AccountId } from "@signalbox/core"
import { resolutions, Rollup, RollupStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { assert, it } from "vitest"
import { bundleProgram } from "../../../vitest.programs.ts"
import { postgres } from "../src/index.ts"
import { newSchema } from "./databases.ts"

it("rollups of several processes add up to their records, even when the processes are killed", async () => {
  const { schema, url } = newSchema()
  const program = await bundleProgram(join(import.meta.dirname, "recordingProcess.ts"))
  const processes = [1, 2].map(() =>
    spawn(process.execPath, [program, url, schema], {
      stdio: ["ignore", "pipe", "inherit"]
    })
  )
  await Promise.all(processes.map(({ stdout }) => once(stdout, "data")))
  await Promise.all(
    processes.map((child) => {
      const exited = once(child, "exit")
      child.kill("SIGKILL")
      return exited
    })
  )
  await Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const store = yield* RollupStore
    const [row] = yield* sql<{ records: bigint }>`SELECT count(*) AS records FROM generations`
    const records = Number(row?.records)
    assert.isAbove(records, 0)
    const from = Date.UTC(2026, 0, 1)
    for (const compact of [Effect.void, store.compact()]) {
      yield* compact
      for (const resolution of resolutions) {
        const buckets = yield* store.list({
          account: AccountId.make("default"),
          resolution,
          dimension: "total",
          from,
          to: from + 86_400_000
        })
        const { cost, requests } = Rollup.total(Rollup.mergeAll(buckets))
        assert.deepStrictEqual([requests, cost], [records, 7n * BigInt(records)])
      }
    }
  }).pipe(Effect.provide(postgres({ url, schema })), Effect.runPromise)
})
