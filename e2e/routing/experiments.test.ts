/**
 * A canary whose model fails, over HTTP and on a shared database: rolled back for all processes until an operator
 * restarts it.
 */
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Options } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import { postgres, sqlite } from "@signalbox/sql"
import { fault, reply, ScriptedUpstream } from "@signalbox/testing"
import { describe, expect, inject, test } from "vitest"
import { native } from "../support/decisionMethods.ts"
import { getProperty } from "../support/getProperty.ts"
import { keys } from "../support/TestServer.ts"
import { waitUntil } from "../support/waitUntil.ts"

const sqliteStores = async () => {
  const path = join(await mkdtemp(join(tmpdir(), "experiments-")), "signalbox.db")
  return () => sqlite({ path })
}
const postgresStores = async () => {
  const url = inject("postgresUrl")
  const schema = `experiments-${crypto.randomUUID()}`
  return () => postgres({ url, schema })
}

const start = async (upstream: string, stores: Options["stores"]) => {
  const instance = await Signalbox.make({
    ...(stores === undefined ? undefined : { stores }),
    upstreams: [native.makeUpstream(upstream, { slug: "one", name: "One", apiKey: "sk-up" })],
    models: ["proof/usual", "proof/new"].map((id) => ({
      id,
      endpoints: [{ provider: "one", price: { prompt: "0", completion: "0", request: "0.01" } }]
    })),
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" },
      { key: "sk-proof-foreign", kind: "management", account: "other" }
    ],
    experiments: [{ match: { model: "proof/usual" }, to: "proof/new", mode: "canary", share: 0.5 }],
    settings: { experimentSyncMillis: 50, breakerMinSamples: 100_000 }
  })
  const ask = async (
    method: string,
    path: string,
    key: string = keys.management,
    body?: unknown
  ) => {
    const response = await instance.fetch(
      new Request(`http://signalbox.invalid/api${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? undefined : { body: JSON.stringify(body) })
      })
    )
    return { status: response.status, body: await response.json() }
  }
  return {
    close: () => instance.close(),
    ask,
    decide: async (session: number) => {
      const { body, status } = await ask("POST", "/alpha/decisions", keys.member, {
        model: "proof/usual",
        state: "I was charged twice!",
        questions: { urgent: { type: "noul", instructions: "Is it urgent?" } },
        session_id: `session-${session}`
      })
      expect(status).toBe(200)
      return String(getProperty(body, "model"))
    },
    find: async () => {
      const { body } = await ask("GET", "/v1/signalbox/experiments")
      return Array.from(getProperty(body, "data") as Iterable<unknown>)[0]
    }
  }
}

describe.each([
  ["SQLite", sqliteStores],
  ["Postgres", postgresStores]
])("a canary on %s", (_, openStores) => {
  test("is rolled back, stays so in the next process, and restarts by hand", async () => {
    const makeStores = await openStores()
    await using upstream = await ScriptedUpstream.start()
    upstream.forModel("proof/usual").always(reply.decision())
    upstream.forModel("proof/new").always(fault.status(500))

    const first = await start(upstream.url, makeStores())
    for (let session = 0; session < 520; session++) {
      expect(await first.decide(session)).toContain("usual")
    }
    await waitUntil(
      async () => getProperty(await first.find(), "status") === "rolled_back",
      "the canary was not rolled back"
    )
    const before = upstream.requests.length
    for (let session = 0; session < 20; session++) await first.decide(session)
    expect(upstream.requests.length).toBe(before + 20)
    const report = await first.find()
    expect(report).toMatchObject({
      mode: "canary",
      match: { model: "proof/usual", operation: null, account: null },
      to: "proof/new",
      run: 1,
      cause: expect.stringMatching(/^100\.0 % of \d+ requests failed, against 0\.0 %/),
      ended_at: expect.any(String),
      control: { errors: 0 },
      agreement: { compared: 0, share: null }
    })
    await first.close()

    const second = await start(upstream.url, makeStores())
    expect(await second.find()).toEqual(report)
    upstream.forModel("proof/new").always(reply.decision())
    for (let session = 0; session < 20; session++) {
      expect(await second.decide(session)).toContain("usual")
    }
    const restart = `/v1/signalbox/experiments/${String(getProperty(report, "id"))}/restart`
    expect((await second.ask("POST", restart, keys.member)).status).toBe(403)
    expect((await second.ask("POST", restart, "sk-proof-foreign")).status).toBe(403)
    expect((await second.ask("GET", "/v1/signalbox/experiments", "sk-proof-foreign")).status).toBe(
      403
    )
    expect((await second.ask("POST", restart)).body).toMatchObject({
      data: { status: "running", run: 2, cause: null, trial: { requests: 0 } }
    })
    const models = new Set<string>()
    for (let session = 0; session < 20; session++) models.add(await second.decide(session))
    expect(Array.from(models).toSorted()).toEqual(["proof/new", "proof/usual"])

    const { body } = await second.ask("GET", "/v1/signalbox/audit")
    expect(JSON.stringify(body)).toContain("experiment.roll_back")
    expect(JSON.stringify(body)).toContain("experiment.restart")
    const unknown = await second.ask("POST", "/v1/signalbox/experiments/nope/stop")
    expect(unknown.status).toBe(404)
    await second.close()
  })
})
