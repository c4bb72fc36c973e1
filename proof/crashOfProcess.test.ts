import { expect, test } from "vitest"
import { startPostgres } from "../packages/sql/test/startPostgres.ts"
import { crashFile, crashRounds } from "./crashRounds.ts"

const timeout = 300_000
const nothingLeft = { reserved: [], deadSteps: 0 }

test(
  "a process that is killed under load leaves a SQLite file that the next one goes on with",
  { timeout },
  async () => {
    expect(await crashRounds(crashFile(), 3)).toMatchObject(nothingLeft)
  }
)

test(
  "a process that is killed under load leaves a Postgres that the next one goes on with",
  { timeout },
  async () => {
    await using server = await startPostgres(["fsync=off"])
    expect(await crashRounds({ kind: "postgres", place: server.url }, 3)).toMatchObject(nothingLeft)
  }
)
