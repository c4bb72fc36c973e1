/** Many kills of a process under load, on both databases. */
import { expect, test } from "vitest"
import { startPostgres } from "../../packages/sql/test/startPostgres.ts"
import { makeCrashFile, runCrashRounds } from "../crash/runCrashRounds.ts"

/** `CRASH_ROUNDS` sets another number. */
const rounds = Number(process.env["CRASH_ROUNDS"] ?? 20)
const noLeftovers = { reserved: [], deadSteps: 0 }

test(`${rounds} kills of a process on SQLite`, async () => {
  expect(await runCrashRounds(makeCrashFile(), rounds)).toMatchObject(noLeftovers)
})

test(`${rounds} kills of a process on Postgres`, async () => {
  await using server = await startPostgres(["fsync=off"])
  expect(await runCrashRounds({ kind: "postgres", location: server.url }, rounds)).toMatchObject(
    noLeftovers
  )
})
