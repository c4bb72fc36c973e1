/** Vaults over HTTP: managing the secrets of a workspace and its interns, whose values are never returned. */
import { randomUUID } from "node:crypto"
import { type Caller, defaultAccountId, defaultWorkspaceId, UserId } from "@signalbox/core"
import { Interns, Vaults } from "@signalbox/core/adapter"
import { VaultStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect, test } from "vitest"
import { describeWithReference } from "../../packages/core/test/reference.ts"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { makeClient } from "../support/makeClient.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { getProperty } from "../support/getProperty.ts"
import { send, type SendOptions } from "../support/send.ts"
import { keys, type TestServerOptions, TestServer } from "../support/TestServer.ts"
import { sendStalledBody } from "../support/sendStalledBody.ts"
import { loadOpenApiSchemas } from "../support/OpenApiSchemas.ts"

const hosts = pickHosts(import.meta.filename)

const sealing = { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } }
const serverOptions: TestServerOptions = { sealing }

const caller: Caller = {
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  kind: "organization"
}

const toBearerHeaders = (key: string) => ({ authorization: `Bearer ${key}` })

const ask = (
  { root }: TestServer,
  method: string,
  path: string,
  body?: unknown,
  { key = keys.member, ...sending }: SendOptions & { readonly key?: string } = {}
): Promise<HttpResponse> =>
  send(`${root}/api/v1/vault/${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(key === "" ? undefined : toBearerHeaders(key))
    },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    ...sending
  })

/** Creates an intern in the default workspace. */
const createIntern = async ({ instance }: TestServer) => {
  const member: Caller = { ...caller, kind: "member", user: UserId.make("mem-1") }
  const { get } = Context.get(instance.context, Interns)
  const intern = await instance.interns.create({ name: "ada" }, { caller: member })
  const { vault } = await Effect.runPromise(get(caller, intern.id))
  return { internId: intern.id, vault }
}

const makeSecret = (value: string, ...names: ReadonlyArray<string>) => ({
  value,
  hosts: names.length === 0 ? ["api.example.com"] : names
})

const getStatus = (failed: unknown) => (failed as { readonly statusCode?: number }).statusCode
const getErrorName = (failed: unknown) => (failed as { readonly name?: string }).name

const captureError = (requested: Promise<unknown>): Promise<unknown> =>
  requested.then(
    () => "succeeded",
    (error: unknown) => error
  )

const toNames = ({ body }: HttpResponse): ReadonlyArray<unknown> =>
  (getProperty(body, "data") as ReadonlyArray<unknown>).map((row) => getProperty(row, "name"))

describe.each(hosts)("the reference client's vaults, against $name", (host) => {
  test("of a workspace store, list, update and delete secrets", async () => {
    await using server = await TestServer.start({ ...serverOptions, host, mount: "/behind/ai" })
    const { vault } = makeClient(server, keys.member)
    expect(await vault.listVaultSecrets()).toEqual({ data: [], hasMore: false })
    const put = (name: string, value: string, ...at: ReadonlyArray<string>) =>
      vault
        .storeVaultSecret({ name, vaultSecretWriteRequest: { hosts: [...at], value } })
        .then(({ data }) => data)
    const two = await put("two", "planted-2", "API.example.com.", "b.example", "api.EXAMPLE.com")
    expect(two).toEqual({
      name: "two",
      hosts: ["api.example.com", "b.example"],
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      createdAt: expect.any(Date)
    })
    const one = await put("one", "planted-1", "a.example")
    expect(await vault.listVaultSecrets()).toEqual({ data: [one, two], hasMore: false })
    expect(await vault.listVaultSecrets({ limit: 1 })).toEqual({ data: [one], hasMore: true })
    expect(await vault.listVaultSecrets({ limit: 1, offset: 1 })).toEqual({
      data: [two],
      hasMore: false
    })
    const again = await put("one", "planted-2", "b.example")
    expect(again).toEqual({ ...one, hosts: ["b.example"], fingerprint: two.fingerprint })
    const longest = "a".repeat(255)
    expect((await put(longest, "planted-3", "a.example")).name).toBe(longest)
    await vault.deleteVaultSecret({ name: longest })
    // Every key of the workspace sees the same secrets.
    const other = makeClient(server, keys.organization).vault
    expect(await other.listVaultSecrets()).toEqual({ data: [again, two], hasMore: false })
    expect(await vault.deleteVaultSecret({ name: "one" })).toBeUndefined()
    const gone = await captureError(vault.deleteVaultSecret({ name: "one" }))
    expect([getStatus(gone), getErrorName(gone)]).toEqual([404, "NotFoundResponseError"])
    expect(await other.listVaultSecrets()).toEqual({ data: [two], hasMore: false })
    const managing = makeClient(server, keys.management).vault
    const refused = await captureError(managing.listVaultSecrets())
    expect([getStatus(refused), getErrorName(refused)]).toEqual([403, "ForbiddenResponseError"])
  })

  test("of an intern are separate, and secrets can be copied into them", async () => {
    await using server = await TestServer.start({ ...serverOptions, host, mount: "/behind/ai" })
    const { vault } = makeClient(server, keys.member)
    const { internId } = await createIntern(server)
    const target = { internId }
    expect(await vault.listInternVaultSecrets(target)).toEqual({ data: [], hasMore: false })
    const { data: shared } = await vault.storeVaultSecret({
      name: "one",
      vaultSecretWriteRequest: { hosts: ["a.example"], value: "planted-1" }
    })
    const { data: own } = await vault.storeInternVaultSecret({
      ...target,
      name: "two",
      vaultSecretWriteRequest: { hosts: ["b.example"], value: "planted-1" }
    })
    const none = await captureError(
      vault.copyVaultSecretsToIntern({
        ...target,
        vaultSecretCopyRequest: { names: ["one", "two"] }
      })
    )
    expect([getStatus(none), getErrorName(none)]).toEqual([404, "NotFoundResponseError"])
    expect((await vault.listInternVaultSecrets(target)).data).toEqual([own])
    const { data: copies } = await vault.copyVaultSecretsToIntern({
      ...target,
      vaultSecretCopyRequest: { names: ["one"] }
    })
    expect(copies).toEqual([
      { ...shared, createdAt: expect.any(Date), fingerprint: own.fingerprint }
    ])
    expect(shared.fingerprint).not.toBe(own.fingerprint)
    expect((await vault.listInternVaultSecrets({ ...target, limit: 1 })).hasMore).toBe(true)
    await vault.deleteInternVaultSecret({ ...target, name: "two" })
    expect((await vault.listInternVaultSecrets(target)).data).toEqual(copies)
    const unknown = await captureError(vault.listInternVaultSecrets({ internId: randomUUID() }))
    expect(getStatus(unknown)).toBe(404)
  })
})

test("the vaults of another workspace and its interns are not visible", async () => {
  await using server = await TestServer.start(serverOptions)
  const { internId } = await createIntern(server)
  for (const path of ["secrets/one", `interns/${internId}/secrets/one`]) {
    expect((await ask(server, "PUT", path, makeSecret("planted"))).status).toBe(200)
  }
  const manage = async (path: string, body: object) =>
    (
      await send(`${server.root}/api/v1/${path}`, {
        headers: { "content-type": "application/json", ...toBearerHeaders(keys.management) },
        body: JSON.stringify(body)
      })
    ).body
  const workspace = await manage("workspaces", { name: "Lab", slug: "lab" })
  const workspace_id = getProperty(getProperty(workspace, "data"), "id")
  const issued = await manage("keys", { name: "lab", workspace_id, creator_user_id: "mem-2" })
  const key = String(getProperty(issued, "key"))
  const there = (method: string, path: string, body?: unknown) =>
    ask(server, method, path, body, { key })
  const own = await there("PUT", "secrets/one", makeSecret("planted"))
  expect(own.status).toBe(200)
  expect(toNames(await there("GET", "secrets"))).toEqual(["one"])
  for (const id of [internId, randomUUID()]) {
    for (const [method, path, body] of [
      ["GET", "secrets"],
      ["PUT", "secrets/one", makeSecret("planted")],
      ["DELETE", "secrets/one"],
      ["POST", "secrets/copy", { names: ["one"] }]
    ] as const) {
      const answer = await there(method, `interns/${id}/${path}`, body)
      expect([answer.status, getProperty(getProperty(answer.body, "error"), "message")]).toEqual([
        404,
        "There is no such intern"
      ])
    }
  }
  // Both vaults hold the same value.
  const here = await ask(server, "GET", "secrets")
  expect(here.text).not.toContain(getProperty(getProperty(own.body, "data"), "fingerprint"))
  expect((await there("DELETE", "secrets/one")).status).toBe(204)
  expect(toNames(await ask(server, "GET", "secrets"))).toEqual(["one"])
})

const maxValueBytes = 424_999

/** Creates a valid body of this many bytes. */
const makeBody = (bytes: number): string => {
  const body = JSON.stringify({ ...makeSecret("x"), padding: "" })
  return JSON.stringify({ ...makeSecret("x"), padding: "p".repeat(bytes - body.length) })
}

/** A request and its expected status. */
const statusCases: ReadonlyArray<{
  readonly name: string
  readonly status: number
  readonly ask: readonly [method: string, path: string, body?: unknown]
  readonly sending?: Parameters<typeof ask>[4]
  readonly serverOptions?: TestServerOptions
  /** The path that the error names, if any. */
  readonly path?: ReadonlyArray<string | number>
}> = [
  { name: "no key", status: 401, ask: ["GET", "secrets"], sending: { key: "" } },
  {
    name: "a management key, before its body is read",
    status: 403,
    ask: ["PUT", "secrets/one", "{"],
    sending: { key: keys.management }
  },
  ...(
    [
      ["a limit of nothing", "?limit=0", "limit"],
      ["a limit above 100", "?limit=101", "limit"],
      ["an offset below zero", "?offset=-1", "offset"],
      ["an offset above 10,000", "?offset=10001", "offset"],
      ["a limit that is no number", "?limit=many", "limit"]
    ] as const
  ).map(([name, query, path]) => ({
    name,
    status: 400,
    ask: ["GET", `secrets${query}`] as const,
    path: [path]
  })),
  ...["One", "1one", "one-two", "one__two", "one_", "one%20two", "one%00", "a".repeat(256)].flatMap(
    (name) =>
      (["PUT", "DELETE"] as const).map((method) => ({
        name: `${method} of a name that is none: ${name.slice(0, 20)}`,
        status: 400,
        ask: [
          method,
          `secrets/${name}`,
          method === "PUT" ? makeSecret("planted") : undefined
        ] as const,
        path: ["name"]
      }))
  ),
  ...(
    [
      ["no body", undefined, []],
      ["half a body", "{", []],
      ["no value", { hosts: ["a.example"] }, ["value"]],
      ["no hosts", { value: "planted" }, ["hosts"]],
      ["hosts that are null", { value: "planted", hosts: null }, ["hosts"]],
      ["an empty value", makeSecret(""), ["value"]],
      ["a value that is too long", makeSecret("x".repeat(65_537)), ["value"]],
      ["half of a character", '{"hosts":["a.example"],"value":"\\ud800"}', ["value"]],
      ["a value that is no text", { hosts: ["a.example"], value: 1 }, ["value"]],
      ["a list of no hosts", { hosts: [], value: "planted" }, ["hosts"]],
      [
        "101 hosts",
        makeSecret("planted", ...Array.from({ length: 101 }, () => "a.example")),
        ["hosts"]
      ],
      ...[
        "*.example.com",
        "https://example.com",
        "example.com/",
        "example.com:443",
        "user@example.com",
        "127.0.0.1",
        "[::1]",
        "bücher.example",
        "a..example",
        " a.example"
      ].map(
        (host) =>
          [`the host ${host}`, makeSecret("planted", "a.example", host), ["hosts", 1]] as const
      )
    ] as const
  ).map(([name, body, path]) => ({
    name,
    status: 400,
    ask: ["PUT", "secrets/one", body] as const,
    path
  })),
  {
    name: "no sealing key",
    status: 400,
    ask: ["PUT", "secrets/one", makeSecret("planted")],
    path: ["value"],
    serverOptions: {}
  },
  { name: "an unknown secret", status: 404, ask: ["DELETE", "secrets/one"] },
  { name: "an unknown intern", status: 404, ask: ["GET", "interns/none/secrets"] },
  { name: "a large body", status: 200, ask: ["PUT", "secrets/one", makeBody(maxValueBytes)] },
  {
    name: "a body with an excessive content length",
    status: 413,
    ask: ["PUT", "secrets/one", makeBody(maxValueBytes + 1)]
  },
  {
    name: "an oversized body without a content length",
    status: 413,
    ask: ["PUT", "secrets/one", makeBody(maxValueBytes + 1)],
    sending: { chunked: true }
  },
  {
    name: "a body above the host's limit",
    status: 413,
    ask: ["PUT", "secrets/one", makeBody(2_001)],
    serverOptions: { ...serverOptions, settings: { maxBodyBytes: 2_000 } }
  }
]

test.each(statusCases)(
  "$status: $name",
  async ({ ask: asked, path, serverOptions: options, sending, status }) => {
    await using server = await TestServer.start(options ?? serverOptions)
    const [method, at, body] = asked
    const answer = await ask(server, method, at, body, sending)
    expect([answer.status, answer.text.includes("planted")]).toEqual([status, false])
    expect(["error", "metadata", "path"].reduce(getProperty, answer.body)).toEqual(path)
  }
)

test("409: copying fails as a whole when a secret has no hosts", async () => {
  await using server = await TestServer.start(serverOptions)
  const { internId, vault } = await createIntern(server)
  const { put } = Context.get(server.instance.context, Vaults)
  await ask(server, "PUT", "secrets/one", makeSecret("planted"))
  const { ofWorkspace } = Context.get(server.instance.context, Vaults)
  await Effect.runPromise(
    Effect.flatMap(ofWorkspace(caller), (id) =>
      put(caller, id, "bare", { value: Redacted.make("planted"), hosts: null })
    )
  )
  const listed = await ask(server, "GET", "secrets")
  expect(getProperty(listed.body, "data")).toMatchObject([
    { name: "bare", hosts: null, fingerprint: null },
    { name: "one" }
  ])
  const copy = (...names: ReadonlyArray<string>) =>
    ask(server, "POST", `interns/${internId}/secrets/copy`, { names })
  const unbound = await copy("one", "bare")
  expect([unbound.status, getProperty(getProperty(unbound.body, "error"), "message")]).toEqual([
    409,
    "The secret bare is bound to no host, and cannot be copied"
  ])
  expect((await copy("bare", "none")).status).toBe(404)
  expect((await copy()).status).toBe(400)
  expect((await copy("one", "one")).status).toBe(400)
  expect(toNames(await ask(server, "GET", `interns/${internId}/secrets`))).toEqual([])
  // The intern exists, but its vault has been deleted.
  await Effect.runPromise(Context.get(server.instance.context, VaultStore).close(vault))
  expect((await copy("one")).status).toBe(409)
  const late = await ask(server, "PUT", `interns/${internId}/secrets/one`, makeSecret("planted"))
  expect(late.status).toBe(409)
  for (const [method, path] of [
    ["GET", "secrets"],
    ["DELETE", "secrets/one"]
  ] as const) {
    expect((await ask(server, method, `interns/${internId}/${path}`)).status).toBe(404)
  }
})

test("500: a secret that cannot be unsealed is not copied, and the log states the reason", async () => {
  await using server = await TestServer.start(serverOptions)
  const { internId, vault } = await createIntern(server)
  await ask(server, "PUT", "secrets/one", makeSecret("planted"))
  const store = Context.get(server.instance.context, VaultStore)
  const { ofWorkspace } = Context.get(server.instance.context, Vaults)
  await Effect.runPromise(
    Effect.flatMap(ofWorkspace(caller), (id) =>
      Effect.flatMap(store.list(id, { offset: 0, limit: 1 }), ({ rows }) =>
        store.put(
          id,
          rows.map((row) => ({ ...row, hosts: ["thief.example"] }))
        )
      )
    )
  )
  const answer = await ask(server, "POST", `interns/${internId}/secrets/copy`, { names: ["one"] })
  expect(answer.status).toBe(500)
  expect(answer.text).not.toContain("k1")
  expect(server.logs.join("\n")).toContain("cannot be unsealed with key k1")
  expect(server.logs.join("\n")).not.toContain("planted")
  expect((await Effect.runPromise(store.list(vault, { offset: 0, limit: 1 }))).rows).toEqual([])
})

test("429: the rate limit of the key applies", async () => {
  const settings = { rateLimit: { requests: 2, windowMillis: 60_000 } }
  await using server = await TestServer.start({ ...serverOptions, settings })
  const answers = [
    await ask(server, "GET", "secrets"),
    await ask(server, "PUT", "secrets/one", makeSecret("planted")),
    await ask(server, "DELETE", "secrets/one")
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
})

test("concurrent puts store a secret once, and concurrent deletes delete it once", async () => {
  await using server = await TestServer.start(serverOptions)
  const many = Array.from({ length: 20 }, (_, n) => n)
  const put = await Promise.all(
    many.map((n) => ask(server, "PUT", "secrets/one", makeSecret(`planted-${n}`)))
  )
  expect(new Set(put.map(({ status }) => status))).toEqual(new Set([200]))
  expect(toNames(await ask(server, "GET", "secrets"))).toEqual(["one"])
  const deleted = await Promise.all(many.map(() => ask(server, "DELETE", "secrets/one")))
  const statuses = deleted.map(({ status }) => status).toSorted((one, other) => one - other)
  expect(statuses).toEqual([204, ...many.slice(1).map(() => 404)])
  expect(deleted.find(({ status }) => status === 204)?.text).toBe("")
})

const operations: ReadonlyArray<{ method: string; path: string; body?: object }> = [
  { method: "GET", path: "secrets" },
  { method: "PUT", path: "secrets/one", body: makeSecret("planted") },
  { method: "DELETE", path: "secrets/one" },
  { method: "GET", path: "interns/:id/secrets" },
  { method: "PUT", path: "interns/:id/secrets/one", body: makeSecret("planted") },
  { method: "DELETE", path: "interns/:id/secrets/one" },
  { method: "POST", path: "interns/:id/secrets/copy", body: { names: ["one"] } }
]

const hang = () => Effect.never

test.each(operations)(
  "$method $path times out when its store hangs",
  async ({ body, method, path }) => {
    await using server = await TestServer.start({
      ...serverOptions,
      settings: { internRequestTimeoutMillis: 300 }
    })
    const { internId } = await createIntern(server)
    const store = Context.get(server.instance.context, VaultStore)
    Object.assign(store, Object.fromEntries(Object.keys(store).map((verb) => [verb, hang])))
    const answer = await ask(server, method, path.replace(":id", internId), body)
    expect([answer.status, getProperty(getProperty(answer.body, "error"), "code")]).toEqual([
      408, 408
    ])
  }
)

test.each(operations.filter(({ body }) => body !== undefined))(
  "$method $path times out when its body stalls",
  async ({ method, path }) => {
    await using server = await TestServer.start({
      ...serverOptions,
      settings: { internRequestTimeoutMillis: 300 }
    })
    const { internId } = await createIntern(server)
    const url = `${server.root}/api/v1/vault/${path.replace(":id", internId)}`
    const status = await sendStalledBody(url, { key: keys.member, method })
    expect(status).toBe(408)
  }
)

describeWithReference("the HTTP API of vaults", (pathOf) => {
  test("matches the public client's OpenAPI document in every response", async () => {
    const { listProblems, listStatuses } = loadOpenApiSchemas(pathOf("wire/openapi.json"))
    await using server = await TestServer.start(serverOptions)
    const { internId } = await createIntern(server)
    const intern = "/vault/interns/{internId}/secrets"
    const put = makeSecret("planted", "a.example")
    const asked = [
      ["put", "/vault/secrets/{name}", "secrets/one", put, 200],
      ["put", `${intern}/{name}`, `interns/${internId}/secrets/two`, put, 200],
      ["post", `${intern}/copy`, `interns/${internId}/secrets/copy`, { names: ["one"] }, 200],
      ["get", "/vault/secrets", "secrets", undefined, 200],
      ["get", intern, `interns/${internId}/secrets?limit=1`, undefined, 200],
      ["get", "/vault/secrets", "secrets?limit=0", undefined, 400],
      ["get", intern, "interns/none/secrets", undefined, 404],
      ["put", "/vault/secrets/{name}", "secrets/one", {}, 400],
      ["put", "/vault/secrets/{name}", "secrets/one", makeBody(maxValueBytes + 1), 413],
      ["put", `${intern}/{name}`, "interns/none/secrets/two", put, 404],
      ["post", `${intern}/copy`, `interns/${internId}/secrets/copy`, { names: ["none"] }, 404],
      ["delete", "/vault/secrets/{name}", "secrets/none", undefined, 404],
      ["delete", `${intern}/{name}`, "interns/none/secrets/two", undefined, 404]
    ] as const
    for (const [method, path, at, body, status] of asked) {
      const answer = await ask(server, method.toUpperCase(), at, body)
      expect([at, answer.status, listProblems(method, path, answer)]).toEqual([at, status, []])
      expect(listStatuses(method, path)).toContain(status)
    }
  })

  test("lists every status of the public OpenAPI document", async () => {
    const { listStatuses } = loadOpenApiSchemas(pathOf("wire/openapi.json"))
    await using server = await TestServer.start()
    const { body } = await send(`${server.root}/api/v1/openapi.json`, { method: "GET" })
    const paths = Object.entries(Object(getProperty(body, "paths"))).filter(([path]) =>
      path.startsWith("/api/v1/vault/")
    )
    const unlisted = paths.flatMap(([path, methods]) =>
      Object.entries(Object(methods)).flatMap(([method, operation]) => {
        // Every operation may return the last four, although the document does not list them.
        const listed = new Set([
          ...listStatuses(method, path.replace("/api/v1", "")),
          408,
          409,
          415,
          429
        ])
        return Object.keys(Object(getProperty(operation, "responses")))
          .filter((status) => !listed.has(Number(status)))
          .map((status) => `${method} ${path} ${status}`)
      })
    )
    expect([paths.length, unlisted]).toEqual([5, []])
  })
})
