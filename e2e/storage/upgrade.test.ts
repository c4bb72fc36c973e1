/**
 * This version opens a database at migration 13 and continues with its data. An instance of the version before
 * migration 14 wrote the rows and was killed during its work.
 */
import { mkdtempSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defaultAccountId, GenerationId } from "@signalbox/core"
import { GenerationStore, JobStore } from "@signalbox/core/stores"
import type { InternHost } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { openrouter } from "@signalbox/openrouter"
import { ScriptedUpstream } from "@signalbox/testing"
import { listen } from "@signalbox/testing/contracts"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { Webhook } from "standardwebhooks"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { fakeVideoProvider } from "../support/fakeVideoProvider.ts"
import { getProperty } from "../support/getProperty.ts"
import { parseJson } from "../support/HttpResponse.ts"
import { makeSqlClient } from "../support/makeSqlClient.ts"
import { openStores } from "../support/openStores.ts"
import { readSnapshot, restoreSnapshot } from "../support/restoreSnapshot.ts"
import { makeTestDatabase, type TestDatabase } from "../support/TestDatabase.ts"

const snapshotFile = join(import.meta.dirname, "databaseAtMigration13.json")

const startReceiver = async () => {
  const received: Array<{ readonly headers: IncomingHttpHeaders; readonly body: string }> = []
  const { close, origin } = await listen(
    createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
        response.writeHead(204).end()
      })
    })
  )
  onTestFinished(close)
  return { url: `${origin}/`, received }
}

const start = async (database: TestDatabase) => {
  const upstream = await ScriptedUpstream.start()
  const suspended: Array<{ readonly name: string; readonly secrets: ReadonlyArray<string> }> = []
  const host: InternHost = {
    slug: "machines",
    steps: [
      { label: "Creating", run: () => Effect.void },
      { label: "Booting", run: () => Effect.void }
    ],
    toHostname: ({ name }) => `${name}.interns.example.com`,
    suspend: Effect.fnUntraced(function* ({ name, releaseSecrets }) {
      const released = yield* Effect.orDie(releaseSecrets("api.github.com"))
      suspended.push({ name, secrets: released.map(({ value }) => Redacted.value(value)) })
    }),
    destroy: () => Effect.void
  }
  const instance = await Signalbox.make({
    stores: openStores(database),
    upstreams: [
      openrouter({ slug: "first", name: "First", baseUrl: upstream.url, apiKey: "sk-up" }),
      fakeVideoProvider
    ],
    models: [
      {
        id: "acme/model",
        endpoints: [{ provider: "first", price: { prompt: "0", completion: "0", request: "0.01" } }]
      },
      {
        id: "acme/film",
        card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
        endpoints: [{ provider: "studio", price: {}, videoPrice: { duration_seconds: "0.1" } }]
      }
    ],
    keys: [
      { key: "sk-fixture-member", kind: "member", user: "mem-1", limit: 100 },
      { key: "sk-fixture-management", kind: "management" }
    ],
    credits: { default: "1000" },
    sealing: { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } },
    interns: { host },
    settings: { allowPrivateNetworks: true, jobPollMillis: 20, videoSweepMillis: 20 }
  })
  onTestFinished(async () => {
    await instance.close()
    await upstream.close()
  })
  const call = async (
    method: string,
    path: string,
    { body, key = "sk-fixture-management" }: { readonly body?: unknown; readonly key?: string } = {}
  ) => {
    const response = await instance.fetch(
      new Request(`http://signalbox.invalid/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? undefined : { "content-type": "application/json" })
        },
        ...(body === undefined ? undefined : { body: JSON.stringify(body) })
      })
    )
    return { status: response.status, body: parseJson(await response.text()) }
  }
  return { call, instance, suspended, upstream }
}

const member = { key: "sk-fixture-member" }
const pollOptions = { timeout: 240_000, interval: 20 }

const databases: Readonly<Record<string, () => TestDatabase>> = {
  SQLite: () => makeTestDatabase(mkdtempSync(join(tmpdir(), "signalbox-")), undefined),
  Postgres: () => makeTestDatabase("", inject("postgresUrl"))
}

describe.each(Object.entries(databases))("a %s database at migration 13", (_, makeDatabase) => {
  const open = async () => {
    const receiver = await startReceiver()
    const snapshot = readSnapshot(snapshotFile, receiver.url)
    const database = makeDatabase()
    await restoreSnapshot(database, snapshot, 13)
    return { ...(await start(database)), database, facts: snapshot.facts, receiver }
  }

  test("keeps keys, spending, records, and credentials with their secrets and rejections", async () => {
    const { call, facts, instance, upstream } = await open()
    const issued = await call("GET", "/v1/key", { key: facts["issuedKey"] ?? "" })
    expect(issued).toMatchObject({ status: 200, body: { data: { limit: 5 } } })
    const { body: known } = await call("GET", "/v1/key", member)
    // The usage increases once the unfinished video completes.
    expect(getProperty(getProperty(known, "data"), "usage")).toBeGreaterThanOrEqual(0.81)

    const states = await call("GET", "/v1/signalbox/byok")
    expect(getProperty(states.body, "data")).toContainEqual(
      expect.objectContaining({
        id: facts["credential"],
        last_error: expect.objectContaining({ kind: "credential_refused", status: 401 })
      })
    )
    const questions = { urgent: { type: "noul", instructions: "Is it urgent?" } }
    const body = { model: "acme/model", state: "I was charged twice!", questions }
    const decided = await call("POST", "/alpha/decisions", { body, ...member })
    expect(decided.status).toBe(200)
    expect(upstream.requests.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer sk-customer-one-5d0f1c9e7b"
    ])

    const generation = await Effect.runPromise(
      Effect.provideContext(
        GenerationStore.use((store) =>
          store.find(defaultAccountId, GenerationId.make("gen-out-of-time"))
        ),
        instance.context
      )
    )
    expect(generation).toMatchObject({
      error: "DeadlineExceeded",
      attempts: [{ implausible: { what: "cost", reported: 9, atMost: 3 } }]
    })
    const dead = await Effect.runPromise(
      Effect.provideContext(
        JobStore.use((store) => store.listDeadLetters({ limit: 10 })),
        instance.context
      )
    )
    expect(dead.rows).toMatchObject([
      { reason: "SubmitOutcomeUnknown", payload: { deferrals: 2, previousAttempts: 1 } }
    ])
  })

  test("continues deliveries, signed with the stored secret", async () => {
    const { call, facts, receiver } = await open()
    const path = `/v1/signalbox/deliveries/${facts["videoTold"]}-completed`
    await expect
      .poll(async () => getProperty((await call("GET", path)).body, "data"), pollOptions)
      .toMatchObject({ state: "delivered" })
    // The unfinished video may end, and be told of, before the delivery is due.
    const told = facts["videoTold"] ?? ""
    const event = receiver.received.find(({ body }) => body.includes(told))
    expect(
      new Webhook(facts["webhookSecret"] ?? "").verify(
        event?.body ?? "",
        event?.headers as Record<string, string>
      )
    ).toMatchObject({ data: { id: told } })
  })

  test("continues video jobs with their recorded progress", async () => {
    const { call, database, facts } = await open()
    const poll = async (id: string | undefined) =>
      getProperty((await call("GET", `/v1/videos/${id}`, member)).body, "status")
    await expect.poll(() => poll(facts["videoUnderWay"]), pollOptions).toBe("completed")
    expect(await poll(facts["videoTold"])).toBe("completed")
    const [step] = await Effect.runPromise(
      Effect.provide(
        SqlClient.use(
          (sql) => sql<{ element: string }>`SELECT element FROM job_steps
            WHERE id = ${`${facts["videoSubmitting"]}-submit-1`}`
        ),
        makeSqlClient(database)
      )
    )
    expect(parseJson(step?.element ?? "")).toMatchObject({
      payload: { id: facts["videoSubmitting"], deferrals: 1, previousAttempts: 3 }
    })
  })

  test("continues interns and releases the secrets of their vaults", async () => {
    const { call, facts, suspended } = await open()
    const readStatus = async (id: string | undefined) =>
      getProperty((await call("GET", `/v1/interns/${id}`, member)).body, "status")
    await expect.poll(() => readStatus(facts["bob"]), pollOptions).toBe("running")
    expect(await readStatus(facts["ada"])).toBe("running")
    await call("POST", `/v1/interns/${facts["ada"]}/suspend`, member)
    await expect
      .poll(() => suspended, pollOptions)
      .toEqual([{ name: "ada", secrets: ["ghp_0123456789"] }])
    expect(await readStatus(facts["ada"])).toBe("stopped")
  })
})
