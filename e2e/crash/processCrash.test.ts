import { expect, test } from "vitest"
import { pickScope } from "../../vitest.scope.ts"
import { startPostgres } from "../../packages/sql/test/startPostgres.ts"
import { makeCrashFile, runCrashRounds } from "./runCrashRounds.ts"

const timeout = 300_000
const rounds = pickScope({ full: 3, sample: 1 })
const noLeftovers = { reserved: [], deadSteps: 0 }

test(
  "the next process continues on the SQLite file of a process killed under load",
  { timeout },
  async () => {
    expect(await runCrashRounds(makeCrashFile(), rounds)).toMatchObject(noLeftovers)
  }
)

test(
  "the next process continues on the Postgres database of a process killed under load",
  { timeout },
  async () => {
    await using server = await startPostgres(["fsync=off"])
    expect(await runCrashRounds({ kind: "postgres", location: server.url }, rounds)).toMatchObject(
      noLeftovers
    )
  }
)
