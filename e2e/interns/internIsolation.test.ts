/** Interns and their vaults are visible only to their workspace, and their secrets to no caller. */
import { inspect } from "node:util"
import { defaultWorkspaceId } from "@signalbox/core"
import { type Operation, operations } from "@signalbox/core/adapter"
import { type InternHost, InternHostFailure } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Tracer from "effect/Tracer"
import { beforeEach, describe, expect, test } from "vitest"
import type { HttpResponse } from "../support/HttpResponse.ts"
import {
  getId,
  internKeys,
  type InternTestServer,
  startInternTestServer
} from "./InternTestServer.ts"
import { getProperty } from "../support/getProperty.ts"
import { recordLogs, recordSpans } from "../support/recordTelemetry.ts"

const keys = { ...internKeys, foreign: "sk-proof-interns-foreign-58d2" } as const

const vaultSecret = { value: "planted-secret-1", hosts: ["machines.example.com"] }

/** An intern host that releases the secrets of an intern and quotes them in its failures. */
const quotingHost: InternHost = {
  slug: "quoting",
  steps: [
    {
      label: "Quoting",
      run: ({ instructions, releaseSecrets }) =>
        Effect.gen(function* () {
          const released = yield* Effect.orDie(releaseSecrets("machines.example.com"))
          const known = released.map(({ value }) => Redacted.value(value)).join(" ")
          yield* Effect.logWarning("a step of a host begins")
          if (instructions?.includes("dies") === true) {
            return yield* Effect.die(new Error(`it broke: ${known}`))
          }
          return yield* new InternHostFailure({ problem: `it broke: ${known}`, isFinal: true })
        })
    }
  ],
  suspend: () => Effect.void,
  destroy: () => Effect.void
}

const startServer = async (
  options: NonNullable<Parameters<typeof startInternTestServer>[0]>["options"] = {}
) => {
  const server = await startInternTestServer({
    options: {
      keys: [
        { key: keys.member, kind: "member", user: "mem-1" },
        { key: keys.mate, kind: "member", user: "mem-2" },
        { key: keys.management, kind: "management" },
        { key: keys.foreign, kind: "member", user: "mem-1", account: "foreign" }
      ],
      ...options
    }
  })
  const { ask } = server
  const manage = (path: string, body: object) => ask("POST", path, { key: keys.management, body })
  const workspace = getProperty(
    (await manage("/workspaces", { name: "Lab", slug: "lab" })).body,
    "data"
  )
  const workspace_id = String(getProperty(workspace, "id"))
  const issued = await manage("/keys", { name: "lab", workspace_id, creator_user_id: "mem-1" })
  return {
    ...server,
    /** The other tenants with interns. */
    tenants: {
      "another workspace": { key: String(getProperty(issued.body, "key")), workspace_id },
      "another account": { key: keys.foreign, workspace_id: defaultWorkspaceId }
    }
  }
}
type IsolationServer = Awaited<ReturnType<typeof startServer>>
type OtherTenant = keyof IsolationServer["tenants"]
const otherTenants: ReadonlyArray<OtherTenant> = ["another workspace", "another account"]

const putSecret = (server: InternTestServer, id: string, key: string = keys.member) =>
  server.ask("PUT", `/vault/interns/${id}/secrets/one`, { body: vaultSecret, key })

const internOperations = operations.filter(({ path }) => path.includes(":internId"))

const bodies: Readonly<Record<string, object>> = {
  "interns.update": { description: "theirs" },
  "vaults.putForIntern": { ...vaultSecret, value: "theirs" },
  "vaults.copyToIntern": { names: ["one"] },
  "interns.chat": { messages: [{ role: "user", content: "who are you?" }], stream: true }
}

const sendOperation = (
  server: IsolationServer,
  { group, method, name, path }: Operation,
  id: string,
  key: string
) => {
  const body = bodies[`${group}.${name}`]
  return server.ask(
    method,
    path.replace("/api/v1", "").replace(":internId", id).replace(":name", "one"),
    { key, ...(body === undefined ? {} : { body }) }
  )
}

/** Everything in which two responses can differ, except the requested id. */
const toComparable = ({ headers, status, text }: HttpResponse, id: string) => {
  const { date: _, "x-request-id": __, ...rest } = headers
  return { status, headers: rest, text: text.replaceAll(id, "id") }
}

/** The responses about an intern to its own workspace. */
const readIntern = async (server: IsolationServer, id: string) => [
  (await server.ask("GET", `/interns/${id}`)).text,
  (await server.ask("GET", `/vault/interns/${id}/secrets`)).text
]

const unknownId = "intern_00000000000000000000"

const toRows = ({ body }: HttpResponse) => getProperty(body, "data") as ReadonlyArray<unknown>
const toIds = (answer: HttpResponse) => toRows(answer).map((row) => getProperty(row, "id"))

describe.each(otherTenants)("to %s", (where) => {
  let server: IsolationServer
  let id: string
  let tenant: { readonly key: string; readonly workspace_id: string }
  beforeEach(async () => {
    server = await startServer()
    id = await server.createRunning()
    tenant = server.tenants[where]
    expect((await putSecret(server, id)).status).toBe(200)
    // The copy would succeed, as there is a secret of this name.
    const own = { body: vaultSecret, key: tenant.key }
    expect((await server.ask("PUT", "/vault/secrets/one", own)).status).toBe(200)
  })

  test("an intern and its vault are missing in every operation, and remain unchanged", async () => {
    expect(internOperations.length).toBeGreaterThanOrEqual(9)
    const before = await readIntern(server, id)
    for (const operation of internOperations) {
      const known = await sendOperation(server, operation, id, tenant.key)
      const unknown = await sendOperation(server, operation, unknownId, tenant.key)
      expect([operation.name, toComparable(known, id)]).toEqual([
        operation.name,
        toComparable(unknown, unknownId)
      ])
      expect([operation.name, known.status]).toEqual([operation.name, 404])
    }
    expect(await readIntern(server, id)).toEqual(before)
  })

  test("a list contains no foreign interns with any cursor", async () => {
    const { ask, create } = server
    const { key, workspace_id } = tenant
    const ours = [id]
    const theirs: Array<string> = []
    for (const name of ["bob", "cleo", "dora"]) {
      ours.unshift(getId(await create({ name })))
      theirs.unshift(getId(await create({ name, workspace_id }, { key })))
    }
    const cursors: Array<unknown> = []
    for (const each of [keys.member, key]) {
      const { body } = await ask("GET", "/interns?limit=2", { key: each })
      cursors.push(getProperty(body, "next_cursor"))
    }
    expect(cursors).toEqual([expect.any(String), expect.any(String)])
    for (const cursor of ["", ...cursors.map((each) => `&starting_after=${String(each)}`)]) {
      const here = toIds(await ask("GET", `/interns?limit=500${cursor}`))
      const there = toIds(await ask("GET", `/interns?limit=500${cursor}`, { key }))
      // The rest of the list keeps its order.
      expect(here).toEqual(ours.slice(ours.length - here.length))
      expect(there).toEqual(theirs.slice(theirs.length - there.length))
    }
  })

  test("a foreign vault cannot be borrowed and is reported like a missing one", async () => {
    const { key, workspace_id } = tenant
    const vault = String(getProperty((await server.ask("GET", `/interns/${id}`)).body, "vault_id"))
    const none = crypto.randomUUID()
    const borrow = (vault_id: string) =>
      server.create({ name: "thief", vault_id, workspace_id }, { key })
    const known = await borrow(vault)
    expect(toComparable(known, vault)).toEqual(toComparable(await borrow(none), none))
    expect(known.status).toBe(400)
    expect(toRows(await server.ask("GET", "/interns", { key }))).toEqual([])
  })

  test("a name and an idempotency key used elsewhere are available", async () => {
    const { key, workspace_id } = tenant
    const headers = { "idempotency-key": "once" }
    const here = await server.create({ name: "bob" }, { headers })
    const there = await server.create({ name: "bob", workspace_id }, { headers, key })
    expect([here.status, there.status]).toEqual([201, 201])
    expect(getId(there)).not.toBe(getId(here))
    const other = await server.create({ name: "ada", workspace_id }, { key })
    expect(other.status).toBe(201)
  })
})

const plantedPattern = /planted-[a-z]+-\d/g
const listPlanted = (text: string): ReadonlyArray<string> => text.match(plantedPattern) ?? []
const listPlantedSecrets = (text: string) =>
  listPlanted(text).filter((each) => each.startsWith("planted-secret"))

test("the content of an intern is visible to its workspace, and its secrets to no caller", async () => {
  const logs: Array<string> = []
  const spans: Array<Tracer.NativeSpan> = []
  const server = await startServer({
    interns: { host: quotingHost },
    log: true,
    telemetry: Layer.merge(recordLogs(logs), recordSpans(spans))
  })
  const { ask, instance, create, tenants, until } = server
  const answers: Array<HttpResponse> = []
  const ids: Array<string> = []
  for (const [name, how] of [
    ["ada", "planted-instructions-1"],
    ["eve", "dies planted-instructions-2"]
  ]) {
    const made = await create({ name, instructions: how, description: "planted-description-1" })
    const path = `/interns/${getId(made)}`
    ids.push(getId(made))
    answers.push(await putSecret(server, getId(made)))
    answers.push(await ask("POST", `${path}/provision`))
    const response = await ask("GET", path)
    expect(response.text).toContain(how)
    answers.push(
      response,
      await ask("GET", `/vault${path}/secrets`),
      await ask("PATCH", path, { body: { instructions: ["planted-instructions-3"] } }),
      await ask("PUT", `/vault${path}/secrets/two`, {
        body: { ...vaultSecret, value: ["planted-secret-2"] }
      }),
      await create({ name, instructions: "planted-instructions-4", vault_id: "planted-vault-1" })
    )
  }
  // A failure is final, a defect is retried.
  const [failing = "", faulty = ""] = ids
  await until(failing, "failed")
  const failed = await ask("GET", `/interns/${failing}`)
  expect(getProperty(failed.body, "last_failure_message")).toMatch(/^Quoting: it broke: /)
  answers.push(failed)
  await expect.poll(() => logs.join("\n"), { timeout: 240_000 }).toContain("has a fault")
  answers.push(await ask("GET", `/interns/${faulty}`))
  const audited = await ask("GET", "/signalbox/audit?limit=100", { key: keys.management })
  const elsewhere = [
    await instance.metrics(),
    JSON.stringify(await instance.health()),
    ...(await Promise.all(
      Object.values(tenants).flatMap(({ key }) =>
        ["/interns", "/vault/secrets"].map(async (path) => (await ask("GET", path, { key })).text)
      )
    ))
  ].join("\n")
  await instance.close()

  // The planted content is found where it is visible, so the checks below can fail.
  expect(logs.join("\n")).toContain("a step of a host begins")
  expect(audited.text).toContain("planted-instructions-1")
  expect(audited.text).toContain("vault.secret.put")

  expect(answers.flatMap(({ text }) => listPlantedSecrets(text))).toEqual([])
  // An error about a body does not repeat its content.
  const refused = answers.filter(({ status }) => status >= 400)
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400])
  expect(refused.flatMap(({ text }) => listPlanted(text))).toEqual([])
  expect(listPlantedSecrets(audited.text)).toEqual([])
  expect(listPlanted(logs.join("\n"))).toEqual([])
  expect(
    spans.flatMap(({ attributes, name, status }) =>
      listPlanted(inspect([name, status, [...attributes]], { depth: 12 }))
    )
  ).toEqual([])
  expect(listPlanted(elsewhere)).toEqual([])
})
