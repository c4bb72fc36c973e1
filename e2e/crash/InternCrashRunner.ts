/** Runs one process after the other on one database; each dies at a crash point of its own intern. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { defaultWorkspaceId } from "@signalbox/core"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { SqlClient } from "effect/sql/SqlClient"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { makeSqlClient } from "../support/makeSqlClient.ts"
import { makeCrashProcesses } from "./makeCrashProcesses.ts"
import { waitUntil } from "../support/waitUntil.ts"
import { startInternMachines } from "./InternMachines.ts"
import { internKey, type InternProcessConfig, secretHost } from "./InternProcessConfig.ts"
import type { InternCrashPoint } from "./internCrashPoints.ts"
import { makeTestDatabase } from "../support/TestDatabase.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"

type Process = Awaited<ReturnType<ReturnType<typeof makeCrashProcesses>["start"]>>

interface InternRequest {
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

export class InternCrashRunner {
  readonly #processes: ReturnType<typeof openProcesses>
  #before: Promise<unknown> = Promise.resolve()
  #process: Process | undefined
  #lives = 0
  /** How the processes of the current run ended. */
  #ended: Array<unknown> = []

  constructor(postgresUrl?: string) {
    this.#processes = openProcesses(postgresUrl)
  }

  /** Queues a run with a process that dies at this point, and returns what remains of its intern. */
  runUntilCrash(crashPoint: InternCrashPoint) {
    const completed = this.#before.then(() => this.#survive(crashPoint))
    this.#before = completed.catch(() => {})
    return completed
  }

  /** The rows and audit entries that remain after all runs. */
  rest() {
    return this.#before.then(async () => {
      const { left } = await this.#processes
      await this.#alive()
      // The task that finishes an abandoned set-up waits longer than a set-up may take.
      await waitUntil(async () => (await left()).waiting === 0, "pending tasks remained")
      return { lives: this.#lives, left: await left() }
    })
  }

  async close(): Promise<void> {
    await (await this.#processes).close()
  }

  async #survive({ isLeft, name: crashPoint }: InternCrashPoint) {
    const { left, machines } = await this.#processes
    const name = `life-${++this.#lives}`
    const secret = `secret of ${name}`
    this.#ended = []
    const before = machines.calls.length
    await (await this.#alive()).dieAt(crashPoint)

    const { ids, statuses } = await this.#create(name, isLeft === true)
    const [id = ""] = ids
    const path = `/interns/${id}`
    await this.#until(id, "running")
    const running = await this.#ask("GET", path)
    const whileRunning = await left()
    const listed = await this.#ask("GET", "/interns")
    const put = await this.#ask("PUT", `/vault${path}/secrets/one`, {
      body: { value: secret, hosts: [secretHost] }
    })
    const suspended = await this.#ask("POST", `${path}/suspend`)
    await this.#until(id, "stopped")
    const provisioned = await this.#ask("POST", `${path}/provision`)
    await this.#until(id, "failed")
    const failed = await this.#ask("GET", path)
    const afterFailure = await left()
    const deleted = await this.#ask("DELETE", path)
    await this.#until(id, "gone")

    const received = machines.calls.slice(before)
    const calls = received.map(({ call, run }) => `${run}: ${call}`)
    const sequence = calls.filter((call, at) => call !== calls[at - 1])
    const { audited: _, waiting: __, ...gone } = await left()
    return {
      ended: this.#ended,
      /** The number of distinct ids that the create requests returned. */
      ids: ids.size,
      statuses,
      running: [
        getProperty(running.body, "status"),
        getProperty(running.body, "hostname") === toHostname(name, id)
      ],
      listed: (getProperty(listed.body, "data") as ReadonlyArray<unknown>).map(
        (row) => getProperty(row, "id") === id
      ),
      whileRunning: toComparable(whileRunning),
      put: put.status,
      transitions: [suspended.status, provisioned.status, deleted.status],
      failed: getProperty(failed.body, "last_failure_message"),
      afterFailure: toComparable(afterFailure),
      sequence,
      /** Only the call during which the process died may be repeated. */
      isRepeated: calls.length - sequence.length > 1,
      others: received.filter((each) => each.id !== id || each.name !== name).length,
      secrets: received.every(({ run, secrets }) => secrets.join() === (run > 1 ? secret : "")),
      left: gone
    }
  }

  async #alive(): Promise<Process> {
    const { start } = await this.#processes
    this.#process ??= await start(`life ${this.#lives}`)
    return this.#process
  }

  /** Calls the current process; starts another one and retries when it dies. */
  async #ask(method: string, path: string, request: InternRequest = {}): Promise<HttpResponse> {
    const { body, headers } = request
    const process = await this.#alive()
    try {
      return await send(process.root + path, {
        method,
        headers: {
          authorization: `Bearer ${internKey}`,
          ...(body === undefined ? undefined : { "content-type": "application/json" }),
          ...headers
        },
        body: body === undefined ? undefined : JSON.stringify(body)
      })
    } catch (cause) {
      const ended = await Promise.race([process.exited, sleep(5_000)])
      if (ended === undefined) throw cause
      this.#ended.push(ended)
      this.#process = undefined
      return this.#ask(method, path, request)
    }
  }

  /** Retries until the intern is created, and returns the ids and statuses of all responses. */
  async #create(name: string, isLeft: boolean) {
    const ids = new Set<string>()
    const statuses: Array<number> = []
    const create = async (): Promise<boolean> => {
      const { body, status } = await this.#ask("POST", "/interns", {
        body: { name, workspace_id: defaultWorkspaceId, provision: true },
        headers: { "idempotency-key": name }
      })
      statuses.push(status)
      if (status < 300) ids.add(String(getProperty(body, "id")))
      return status < 300
    }
    const isThere = async (): Promise<boolean> => {
      const { body } = await this.#ask("GET", "/interns?status=running")
      return (getProperty(body, "data") as ReadonlyArray<unknown>).length === 1
    }
    if (isLeft) {
      const process = await this.#alive()
      await send(`${process.root}/interns`, {
        headers: {
          authorization: `Bearer ${internKey}`,
          "content-type": "application/json",
          "idempotency-key": name
        },
        body: JSON.stringify({ name, workspace_id: defaultWorkspaceId, provision: true })
      }).catch(() => undefined)
      await waitUntil(isThere, `${name} did not run by itself`)
    }
    await waitUntil(create, `${name} was not created`)
    return { ids, statuses }
  }

  /** Waits for the status and for pending tasks, which the next request would supersede. */
  #until(id: string, requested: string): Promise<void> {
    return waitUntil(async () => {
      const { body, status } = await this.#ask("GET", `/interns/${id}`)
      const hasStatus = requested === (status === 404 ? "gone" : getProperty(body, "status"))
      return hasStatus && (await this.#isSettled())
    }, `${id} was not ${requested}`)
  }

  async #isSettled(): Promise<boolean> {
    const { isSettled } = await this.#processes
    return isSettled()
  }
}

const toHostname = (name: string, id: string): string =>
  `${name}-${id.slice(-20)}.interns.example.com`

const openProcesses = async (postgresUrl: string | undefined) => {
  const machines = await startInternMachines()
  const folder = mkdtempSync(join(tmpdir(), "signalbox-interns-"))
  const config: InternProcessConfig = {
    database: makeTestDatabase(folder, postgresUrl),
    machines: machines.url,
    settings: {
      internPrepareTimeoutMillis: 10_000,
      jobLeaseMillis: 1_000,
      jobLeaseRefreshMillis: 300,
      jobPollMillis: 250
    }
  }
  const { killAll, start } = makeCrashProcesses("internProcess.ts", config)
  const database = ManagedRuntime.make(makeSqlClient(config.database))
  return {
    machines,
    start,
    left: () => database.runPromise(readLeftovers),
    isSettled: () => database.runPromise(isSettled),
    close: async () => {
      killAll()
      await database.dispose()
      await machines.close()
    }
  }
}

/** Reads the database from another process. */
const readLeftovers = Effect.gen(function* () {
  const sql = yield* SqlClient
  const documents = Effect.map((rows: ReadonlyArray<{ readonly document: string }>) =>
    rows.map(({ document }): unknown => JSON.parse(document))
  )
  const interns = yield* documents(sql<{ document: string }>`SELECT document FROM interns`)
  const vaults = yield* documents(sql<{ document: string }>`SELECT document FROM vaults`)
  const audited = yield* documents(sql<{ document: string }>`SELECT document FROM audit_entries`)
  const waiting = yield* sql<{ id: string }>`
    SELECT id FROM job_steps WHERE state = ${"pending"}`
  return {
    interns: interns.length,
    claims: interns.filter((intern) => getProperty(intern, "claim") !== undefined).length,
    vaults: vaults.length,
    isOwned: vaults.every((vault) =>
      interns.some((intern) => getProperty(intern, "id") === getProperty(vault, "intern"))
    ),
    secrets: (yield* sql`SELECT vault FROM vault_secrets`).length,
    hosts: (yield* sql`SELECT vault FROM vault_hosts`).length,
    steps: waiting.filter(({ id }) => !id.includes("-set_up-")).length,
    waiting: waiting.length,
    dead: (yield* sql`SELECT seq FROM dead_letters`).length,
    audited: audited.map((entry) => String(getProperty(entry, "action")))
  }
})

/** Ignores the tasks for abandoned set-ups, which wait for the set-up timeout. */
const isSettled = Effect.gen(function* () {
  const sql = yield* SqlClient
  const steps = yield* sql`SELECT id FROM job_steps
    WHERE state = ${"pending"} AND id NOT LIKE ${"%-set_up-%"} LIMIT 1`
  const claimed = yield* sql`SELECT id FROM interns WHERE document LIKE ${'%"claim":%'} LIMIT 1`
  return steps.length === 0 && claimed.length === 0
})

type Leftovers = Effect.Success<typeof readLeftovers>

const toComparable = ({ claims, dead, interns, isOwned, secrets, steps, vaults }: Leftovers) => ({
  interns,
  vaults,
  isOwned,
  secrets,
  claims,
  steps,
  dead
})
