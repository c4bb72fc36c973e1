/** Concurrent requests for interns to real processes on one database. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defaultWorkspaceId } from "@signalbox/core"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { pickScope } from "../../vitest.scope.ts"
import { type HttpResponse, parseErrorEnvelope } from "../support/HttpResponse.ts"
import { makeSqlClient } from "../support/makeSqlClient.ts"
import { makeCrashProcesses } from "../crash/makeCrashProcesses.ts"
import { startInternMachines } from "../crash/InternMachines.ts"
import { internKey, type InternProcessConfig } from "../crash/InternProcessConfig.ts"
import { makeTestDatabase } from "../support/TestDatabase.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"

/** Starts the processes sequentially, as the first one creates the tables. */
const startProcesses = async (processes: number, postgresUrl?: string) => {
  const machines = await startInternMachines()
  const database = makeTestDatabase(mkdtempSync(join(tmpdir(), "signalbox-interns-")), postgresUrl)
  const config: InternProcessConfig = { database, machines: machines.url, settings: {} }
  const { killAll, start } = makeCrashProcesses("internProcess.ts", config)
  onTestFinished(async () => {
    killAll()
    await machines.close()
  })
  const roots: Array<string> = []
  for (let n = 0; n < processes; n++) roots.push((await start(`process ${n}`)).root)
  let turn = 0
  return {
    machines,
    /** Sends each request to the next process. */
    ask: (method: string, path: string, body?: object, key?: string): Promise<HttpResponse> =>
      send(`${roots[turn++ % processes]}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${internKey}`,
          ...(body === undefined ? undefined : { "content-type": "application/json" }),
          ...(key === undefined ? undefined : { "idempotency-key": key })
        },
        body: body === undefined ? undefined : JSON.stringify(body)
      }),
    kept: () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        return {
          interns: (yield* sql`SELECT id FROM interns`).length,
          vaults: (yield* sql`SELECT id FROM vaults`).length
        }
      }).pipe(Effect.provide(makeSqlClient(database)), Effect.runPromise)
  }
}

const newIntern = (changes: object = {}) => ({
  name: "ada",
  workspace_id: defaultWorkspaceId,
  provision: true,
  ...changes
})

const numbers = Array.from({ length: pickScope({ full: 50, sample: 20 }) }, (_, n) => n)

const getId = ({ body }: HttpResponse): string => String(getProperty(body, "id"))
const toStatuses = (answers: ReadonlyArray<HttpResponse>) =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other)

const databases = [
  { where: "two processes on one Postgres", processes: 2, onPostgres: true },
  { where: "a process on SQLite", processes: 1, onPostgres: false }
]

describe.each(databases)("on $where", ({ onPostgres, processes }) => {
  const opened = () => startProcesses(processes, onPostgres ? inject("postgresUrl") : undefined)

  test.each([
    { how: "with a key", key: "once" },
    { how: "without one", key: undefined }
  ])(
    "concurrent identical creates $how create one intern, and one of them answers 201",
    async ({ key }) => {
      const { ask, kept, machines } = await opened()
      const create = () => ask("POST", "/interns", newIntern(), key)
      const answers = await Promise.all(numbers.map(create))
      expect(toStatuses(answers)).toEqual([...numbers.slice(1).map(() => 200), 201])
      expect(new Set(answers.map(getId)).size).toBe(1)
      expect(await kept()).toEqual({ interns: 1, vaults: 1 })
      const [id = ""] = answers.map(getId)
      await expect
        .poll(async () => getProperty((await ask("GET", `/interns/${id}`)).body, "status"), {
          timeout: 240_000
        })
        .toBe("running")
      expect(machines.calls.map(({ call, run }) => `${run}: ${call}`)).toEqual([
        "0: prepare",
        "1: step 0",
        "1: step 1"
      ])
      const late = await create()
      expect([late.status, getId(late)]).toEqual([200, id])
    }
  )

  test("one of several different concurrent creates with one idempotency key succeeds, and the others conflict", async () => {
    const { ask, kept } = await opened()
    const answers = await Promise.all(
      numbers.map((n) => ask("POST", "/interns", newIntern({ name: `ada-${n}` }), "once"))
    )
    expect(toStatuses(answers)).toEqual([201, ...numbers.slice(1).map(() => 409)])
    const refused = answers.filter(({ status }) => status === 409)
    expect(new Set(refused.map((answer) => parseErrorEnvelope(answer).code))).toEqual(
      new Set(["idempotency_key_reused"])
    )
    expect(await kept()).toEqual({ interns: 1, vaults: 1 })
  })

  test("one of several concurrent creates of one name with different idempotency keys succeeds", async () => {
    const { ask, kept } = await opened()
    const answers = await Promise.all(
      numbers.map((n) => ask("POST", "/interns", newIntern(), `key-${n}`))
    )
    expect(toStatuses(answers)).toEqual([201, ...numbers.slice(1).map(() => 409)])
    const refused = answers.filter(({ status }) => status === 409)
    expect(
      new Set(refused.map((answer) => getProperty(parseErrorEnvelope(answer).metadata, "reason")))
    ).toEqual(new Set(["name_taken"]))
    expect(await kept()).toEqual({ interns: 1, vaults: 1 })
  })

  test("an intern that is created and deleted concurrently exists once or not at all", async () => {
    const { ask, kept } = await opened()
    const rounds = numbers.slice(0, 10).map(async () => {
      const made = await ask("POST", "/interns", newIntern({ provision: false }))
      const deleted = await ask("DELETE", `/interns/${getId(made)}`)
      return [made.status, deleted.status]
    })
    const statuses = (await Promise.all(rounds)).flat()
    expect(statuses.filter((status) => ![200, 201, 202, 404, 409].includes(status))).toEqual([])
    await expect.poll(kept, { timeout: 240_000 }).toEqual({ interns: 0, vaults: 0 })
  })
})
