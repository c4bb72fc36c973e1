import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { AccountStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { assert, it } from "vitest"
import { postgres } from "../src/index.ts"
import { newSchema } from "./databases.ts"

it("a process killed while it migrates Postgres leaves no change, and the next one runs every migration", async () => {
  const { schema, url } = newSchema()
  const killed = spawn(
    process.execPath,
    [join(import.meta.dirname, "migratingProcess.ts"), url, schema],
    { stdio: ["ignore", "pipe", "inherit"] }
  )
  const exited = once(killed, "exit")
  await once(killed.stdout, "data")
  killed.kill("SIGKILL")
  await exited
  const tables = await Effect.gen(function* () {
    yield* AccountStore
    const sql = yield* SqlClient
    return yield* sql<{
      name: string
    }>`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ${schema}`
  }).pipe(Effect.provide(postgres({ url, schema })), Effect.runPromise)
  const names = tables.map(({ name }) => name)
  assert.includeMembers(names, ["accounts", "reservations", "dead_letters"])
  assert.notInclude(names, "one")
})
