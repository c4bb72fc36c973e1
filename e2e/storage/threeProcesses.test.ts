/** What three instances on one Postgres share, and what each has for itself. */
import { execFile } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { ScriptedUpstream, fault } from "@signalbox/testing"
import type { Options, Signalbox as Instance } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import { postgres } from "@signalbox/sql"
import { expect, inject, onTestFinished, test } from "vitest"
import { native } from "../support/decisionMethods.ts"
import { questions } from "../support/TestServer.ts"

const run = promisify(execFile)

const start = async (
  upstream: ScriptedUpstream,
  schema: string,
  options: Partial<Options> = {}
) => {
  const instance = await Signalbox.make({
    stores: postgres({ url: inject("postgresUrl"), schema }),
    upstreams: [
      native.makeUpstream(upstream.url, { slug: "first", name: "First", apiKey: "sk-up" })
    ],
    models: [
      {
        id: "proof/model",
        endpoints: [{ provider: "first", price: { prompt: "0", completion: "0", request: "0.01" } }]
      }
    ],
    bundles: { starter: { budget: { monthly: 0.1 } } },
    sealing: { current: "one", keys: { one: "a sealing key of the proof of processes" } },
    ...options
  })
  onTestFinished(() => instance.close())
  return instance
}

const startThree = async (options?: Partial<Options>) => {
  const upstream = await ScriptedUpstream.start()
  onTestFinished(() => upstream.close())
  const schema = `three-${crypto.randomUUID()}`
  const one = await start(upstream, schema, options)
  const others = await Promise.all([1, 2].map(() => start(upstream, schema, options)))
  return { instances: [one, ...others], schema, upstream }
}

/** The status of a Decision with this key at an instance. */
const decide = async ({ fetch }: Pick<Instance, "fetch">, key: string | null): Promise<number> => {
  const response = await fetch(
    new Request("http://signalbox.invalid/api/alpha/decisions", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "proof/model", state: "I was charged twice!", questions })
    })
  )
  await response.text()
  return response.status
}

const count = (statuses: ReadonlyArray<number>, status: number): number =>
  statuses.filter((each) => each === status).length

test("a customer of one process is known to all, and thirty requests spend no more than its budget", async () => {
  const { instances } = await startThree()
  const { key } = await instances[0]!.customers.create({ slug: "acme", bundle: "starter" })
  const statuses = await Promise.all(
    Array.from({ length: 30 }, (_, index) => decide(instances[index % 3]!, key))
  )
  expect([count(statuses, 200), count(statuses, 403)]).toEqual([10, 20])
  const { data } = await instances[1]!.limits.list()
  expect(data.find(({ name }) => name === "acme")).toMatchObject({ settled: 0.1, remaining: 0 })
  await expect
    .poll(async () => {
      const { data } = await instances[2]!.series.get({ group_by: "workspace" })
      return data.series.map(({ totals }) => totals.requests)
    })
    .toEqual([30])
})

test("three processes at the same time create one customer", async () => {
  const { instances } = await startThree()
  const created = await Promise.all(
    instances.map(({ customers }) => customers.create({ slug: "acme", bundle: "starter" }))
  )
  expect(created.filter(({ created }) => created)).toHaveLength(1)
  expect((await instances[0]!.keys.list({ workspace_id: "acme" })).total_count).toBe(1)
})

test("without a shared store, each process counts rates for itself", async () => {
  const { instances } = await startThree({
    settings: { rateLimit: { requests: 2, windowMillis: 60_000 } }
  })
  const { key } = await instances[0]!.keys.create({ name: "all" })
  const statuses: Array<number> = []
  for (const instance of [...instances, ...instances, ...instances]) {
    statuses.push(await decide(instance, key))
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429, 429])
})

test("the health of an endpoint is what a process has seen itself", async () => {
  const { instances, upstream } = await startThree()
  const { key } = await instances[0]!.keys.create({ name: "all" })
  upstream.always(fault.status(500))
  for (let at = 0; at < 10; at++) await decide(instances[0]!, key)
  const breakers = await Promise.all(
    instances.map(async ({ health }) =>
      Object.values((await health()).endpoints).map(({ breaker }) => breaker.state)
    )
  )
  expect(breakers[0]).not.toEqual(["closed"])
  for (const others of breakers.slice(1)) expect(others).not.toEqual(breakers[0])
})

test("a process without the bundle of a customer refuses it, and serves others", async () => {
  const { instances, schema, upstream } = await startThree()
  // It starts before the customer exists, as a process with older code in a roll-out.
  const old = await start(upstream, schema, { bundles: {} })
  const { key } = await instances[0]!.customers.create({ slug: "acme", bundle: "starter" })
  const { key: other } = await instances[0]!.keys.create({ name: "other" })
  expect(await decide(old, key)).toBe(503)
  expect(await decide(old, other)).toBe(200)
  expect(await decide(instances[1]!, key)).toBe(200)
})

const url = inject("postgresUrl")

/** The server, where there is a `pg_dump` that is not older. The call fails early, because there is no such schema. */
const dumpedServers = await run("pg_dump", [url, "--schema=signalbox_none"]).then(
  () => [],
  (error: Error) => (error.message.includes("no matching schemas") ? [url] : [])
)

test.each(dumpedServers)(
  "a restored dump has the customer, its key and what it has spent",
  async (server) => {
    const { instances, schema, upstream } = await startThree()
    const { key } = await instances[0]!.customers.create({ slug: "acme", bundle: "starter" })
    for (let at = 0; at < 4; at++) expect(await decide(instances[at % 3]!, key)).toBe(200)
    const file = join(mkdtempSync(join(tmpdir(), "signalbox-")), "signalbox.dump")
    await run("pg_dump", [server, `--schema=${schema}`, "--format=custom", "--file", file])
    for (let at = 0; at < 3; at++) expect(await decide(instances[at % 3]!, key)).toBe(200)
    for (const instance of instances) await instance.close()

    await run("pg_restore", [`--dbname=${server}`, "--clean", "--if-exists", file])
    const restored = await start(upstream, schema)
    const { data } = await restored.limits.list()
    expect(data.find(({ name }) => name === "acme")).toMatchObject({ settled: 0.04 })
    expect(await decide(restored, key)).toBe(200)
  }
)
