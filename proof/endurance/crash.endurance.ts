/** Many kills of a process under load, on both databases. */
import { expect, test } from "vitest"
import { startPostgres } from "../../packages/sql/test/startPostgres.ts"
import { crashFile, crashRounds } from "../crashRounds.ts"

/** `CRASH_ROUNDS` sets another number. */
const rounds = Number(process.env["CRASH_ROUNDS"] ?? 20)
const nothingLeft = { reserved: [], deadSteps: 0 }

test(`${rounds} kills of a process on SQLite`, async () => {
  expect(await crashRounds(crashFile(), rounds)).toMatchObject(nothingLeft)
})

test(`${rounds} kills of a process on Postgres`, async () => {
  await using server = await startPostgres(["fsync=off"])
  expect(await crashRounds({ kind: "postgres", place: server.url }, rounds)).toMatchObject(
    nothingLeft
  )
})
