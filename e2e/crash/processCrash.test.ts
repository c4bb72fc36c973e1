import { expect, test } from "vitest"
import { pickScope } from "../../vitest.scope.ts"
import { startPostgres } from "../../packages/sql/test/startPostgres.ts"
import { makeCrashFile, runCrashRounds } from "./runCrashRounds.ts"

const timeout = 300_000
const rounds = pickScope({ full: 3, sample: 1 })
const noLeftovers = { reserved: [], deadSteps: 0 }

test(
  "a process that is killed under load leaves a SQLite file that the next one goes on with",
  { timeout },
  async () => {
    expect(await runCrashRounds(makeCrashFile(), rounds)).toMatchObject(noLeftovers)
  }
)

test(
  "a process that is killed under load leaves a Postgres that the next one goes on with",
  { timeout },
  async () => {
    await using server = await startPostgres(["fsync=off"])
    expect(await runCrashRounds({ kind: "postgres", location: server.url }, rounds)).toMatchObject(
      noLeftovers
    )
  }
)
