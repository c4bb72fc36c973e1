/** Kills a process under load many times, on both databases. */
import { expect, test } from "vitest"
import { startPostgres } from "../../packages/sql/test/startPostgres.ts"
import { makeCrashFile, runCrashRounds } from "../crash/runCrashRounds.ts"

/** `CRASH_ROUNDS` overrides the number of rounds. */
const rounds = Number(process.env["CRASH_ROUNDS"] ?? 20)
const noLeftovers = { reserved: [], deadSteps: 0 }

test(`data on SQLite is consistent after ${rounds} kills under load`, async () => {
  expect(await runCrashRounds(makeCrashFile(), rounds)).toMatchObject(noLeftovers)
})

test(`data on Postgres is consistent after ${rounds} kills under load`, async () => {
  await using server = await startPostgres(["fsync=off"])
  expect(await runCrashRounds({ kind: "postgres", location: server.url }, rounds)).toMatchObject(
    noLeftovers
  )
})
