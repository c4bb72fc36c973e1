/** Vaults over HTTP: what a key may do with the secrets of its workspace, and what nobody is ever told. */
import { randomUUID } from "node:crypto"
import { type Caller, defaultAccountId, defaultWorkspaceId, UserId } from "@signalbox/core"
import { Interns, Vaults } from "@signalbox/core/adapter"
import { VaultStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect, test } from "vitest"
import { describeWithReference } from "../packages/core/test/reference.ts"
import type { Answer } from "./Answer.ts"
import { clientOf } from "./clientOf.ts"
import { hosts } from "./hosts.ts"
import { property } from "./property.ts"
import { send, type Sending } from "./send.ts"
import { keys, type Scene, Stage } from "./Stage.ts"
import { statusOfStalled } from "./stalled.ts"
import { wireSchemas } from "./wireSchemas.ts"

const sealing = { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } }
const scene: Scene = { sealing }

const caller: Caller = {
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  kind: "organization"
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const ask = (
  { root }: Stage,
  method: string,
  path: string,
  body?: unknown,
  { key = keys.member, ...sending }: Sending & { readonly key?: string } = {}
): Promise<Answer> =>
  send(`${root}/api/v1/vault/${path}`, {
    method,
    headers: { "content-type": "application/json", ...(key === "" ? undefined : bearer(key)) },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    ...sending
  })

/** Gives the default workspace an intern. */
const hire = async ({ box }: Stage) => {
  const member: Caller = { ...caller, kind: "member", user: UserId.make("mem-1") }
  const { find } = Context.get(box.context, Interns)
  const { intern } = await box.interns.create({ name: "ada" }, { caller: member })
  const { vault } = await Effect.runPromise(find(caller, intern.id))
  return { internId: intern.id, vault }
}

const secret = (value: string, ...names: ReadonlyArray<string>) => ({
  value,
  hosts: names.length === 0 ? ["api.example.com"] : names
})

const status = (failed: unknown) => (failed as { readonly statusCode?: number }).statusCode
const nameOf = (failed: unknown) => (failed as { readonly name?: string }).name

const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => "succeeded",
    (error: unknown) => error
  )

const namesOf = ({ body }: Answer): ReadonlyArray<unknown> =>
  (property(body, "data") as ReadonlyArray<unknown>).map((row) => property(row, "name"))

describe.each(hosts)("the reference client's vaults, against $name", (host) => {
  test("of a workspace are filled, listed, changed and emptied", async () => {
    await using stage = await Stage.open({ ...scene, host, mount: "/behind/ai" })
    const { vault } = clientOf(stage, keys.member)
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
    // The same for every key of the workspace.
    const other = clientOf(stage, keys.organization).vault
    expect(await other.listVaultSecrets()).toEqual({ data: [again, two], hasMore: false })
    expect(await vault.deleteVaultSecret({ name: "one" })).toBeUndefined()
    const gone = await failureOf(vault.deleteVaultSecret({ name: "one" }))
    expect([status(gone), nameOf(gone)]).toEqual([404, "NotFoundResponseError"])
    expect(await other.listVaultSecrets()).toEqual({ data: [two], hasMore: false })
    const managing = clientOf(stage, keys.management).vault
    const refused = await failureOf(managing.listVaultSecrets())
    expect([status(refused), nameOf(refused)]).toEqual([403, "ForbiddenResponseError"])
  })

  test("of an intern are its own, and copied into", async () => {
    await using stage = await Stage.open({ ...scene, host, mount: "/behind/ai" })
    const { vault } = clientOf(stage, keys.member)
    const { internId } = await hire(stage)
    const of = { internId }
    expect(await vault.listInternVaultSecrets(of)).toEqual({ data: [], hasMore: false })
    const { data: shared } = await vault.storeVaultSecret({
      name: "one",
      vaultSecretWriteRequest: { hosts: ["a.example"], value: "planted-1" }
    })
    const { data: own } = await vault.storeInternVaultSecret({
      ...of,
      name: "two",
      vaultSecretWriteRequest: { hosts: ["b.example"], value: "planted-1" }
    })
    const none = await failureOf(
      vault.copyVaultSecretsToIntern({
        ...of,
        vaultSecretCopyRequest: { names: ["one", "two"] }
      })
    )
    expect([status(none), nameOf(none)]).toEqual([404, "NotFoundResponseError"])
    expect((await vault.listInternVaultSecrets(of)).data).toEqual([own])
    const { data: copies } = await vault.copyVaultSecretsToIntern({
      ...of,
      vaultSecretCopyRequest: { names: ["one"] }
    })
    expect(copies).toEqual([
      { ...shared, createdAt: expect.any(Date), fingerprint: own.fingerprint }
    ])
    expect(shared.fingerprint).not.toBe(own.fingerprint)
    expect((await vault.listInternVaultSecrets({ ...of, limit: 1 })).hasMore).toBe(true)
    await vault.deleteInternVaultSecret({ ...of, name: "two" })
    expect((await vault.listInternVaultSecrets(of)).data).toEqual(copies)
    const unknown = await failureOf(vault.listInternVaultSecrets({ internId: randomUUID() }))
    expect(status(unknown)).toBe(404)
  })
})

test("of another workspace, and its interns, are as if they were not there", async () => {
  await using stage = await Stage.open(scene)
  const { internId } = await hire(stage)
  for (const path of ["secrets/one", `interns/${internId}/secrets/one`]) {
    expect((await ask(stage, "PUT", path, secret("planted"))).status).toBe(200)
  }
  const manage = async (path: string, body: object) =>
    (
      await send(`${stage.root}/api/v1/${path}`, {
        headers: { "content-type": "application/json", ...bearer(keys.management) },
        body: JSON.stringify(body)
      })
    ).body
  const workspace = await manage("workspaces", { name: "Lab", slug: "lab" })
  const workspace_id = property(property(workspace, "data"), "id")
  const issued = await manage("keys", { name: "lab", workspace_id, creator_user_id: "mem-2" })
  const key = String(property(issued, "key"))
  const there = (method: string, path: string, body?: unknown) =>
    ask(stage, method, path, body, { key })
  const own = await there("PUT", "secrets/one", secret("planted"))
  expect(own.status).toBe(200)
  expect(namesOf(await there("GET", "secrets"))).toEqual(["one"])
  for (const id of [internId, randomUUID()]) {
    for (const [method, path, body] of [
      ["GET", "secrets"],
      ["PUT", "secrets/one", secret("planted")],
      ["DELETE", "secrets/one"],
      ["POST", "secrets/copy", { names: ["one"] }]
    ] as const) {
      const answer = await there(method, `interns/${id}/${path}`, body)
      expect([answer.status, property(property(answer.body, "error"), "message")]).toEqual([
        404,
        "There is no such intern"
      ])
    }
  }
  // The same value, in two vaults.
  const here = await ask(stage, "GET", "secrets")
  expect(here.text).not.toContain(property(property(own.body, "data"), "fingerprint"))
  expect((await there("DELETE", "secrets/one")).status).toBe(204)
  expect(namesOf(await ask(stage, "GET", "secrets"))).toEqual(["one"])
})

const largest = 424_999

/** A good body of so many bytes. */
const bodyOf = (bytes: number): string => {
  const body = JSON.stringify({ ...secret("x"), padding: "" })
  return JSON.stringify({ ...secret("x"), padding: "p".repeat(bytes - body.length) })
}

/** How a status comes about. */
const causes: ReadonlyArray<{
  readonly name: string
  readonly status: number
  readonly ask: readonly [method: string, path: string, body?: unknown]
  readonly sending?: Parameters<typeof ask>[4]
  readonly scene?: Scene
  /** What is at fault, where that is told. */
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
        ask: [method, `secrets/${name}`, method === "PUT" ? secret("planted") : undefined] as const,
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
      ["an empty value", secret(""), ["value"]],
      ["a value that is too long", secret("x".repeat(65_537)), ["value"]],
      ["half of a character", '{"hosts":["a.example"],"value":"\\ud800"}', ["value"]],
      ["a value that is no text", { hosts: ["a.example"], value: 1 }, ["value"]],
      ["a list of no hosts", { hosts: [], value: "planted" }, ["hosts"]],
      [
        "101 hosts",
        secret("planted", ...Array.from({ length: 101 }, () => "a.example")),
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
        (host) => [`the host ${host}`, secret("planted", "a.example", host), ["hosts", 1]] as const
      )
    ] as const
  ).map(([name, body, path]) => ({
    name,
    status: 400,
    ask: ["PUT", "secrets/one", body] as const,
    path
  })),
  {
    name: "nothing to seal it with",
    status: 400,
    ask: ["PUT", "secrets/one", secret("planted")],
    path: ["value"],
    scene: {}
  },
  { name: "no such secret", status: 404, ask: ["DELETE", "secrets/one"] },
  { name: "no such intern", status: 404, ask: ["GET", "interns/none/secrets"] },
  { name: "a large body", status: 200, ask: ["PUT", "secrets/one", bodyOf(largest)] },
  {
    name: "a body that is declared too large",
    status: 413,
    ask: ["PUT", "secrets/one", bodyOf(largest + 1)]
  },
  {
    name: "a body that turns out too large",
    status: 413,
    ask: ["PUT", "secrets/one", bodyOf(largest + 1)],
    sending: { chunked: true }
  },
  {
    name: "a body above what the host allows",
    status: 413,
    ask: ["PUT", "secrets/one", bodyOf(2_001)],
    scene: { ...scene, settings: { bodyLimitBytes: 2_000 } }
  }
]

test.each(causes)(
  "$status: $name",
  async ({ ask: asked, path, scene: special, sending, status }) => {
    await using stage = await Stage.open(special ?? scene)
    const [method, at, body] = asked
    const answer = await ask(stage, method, at, body, sending)
    expect([answer.status, answer.text.includes("planted")]).toEqual([status, false])
    expect(["error", "metadata", "path"].reduce(property, answer.body)).toEqual(path)
  }
)

test("409: a secret without hosts is not copied, nor anything with it", async () => {
  await using stage = await Stage.open(scene)
  const { internId, vault } = await hire(stage)
  const { put } = Context.get(stage.box.context, Vaults)
  await ask(stage, "PUT", "secrets/one", secret("planted"))
  const { ofWorkspace } = Context.get(stage.box.context, Vaults)
  await Effect.runPromise(
    Effect.flatMap(ofWorkspace(caller), (id) =>
      put(caller, id, "bare", { value: Redacted.make("planted"), hosts: null })
    )
  )
  const listed = await ask(stage, "GET", "secrets")
  expect(property(listed.body, "data")).toMatchObject([
    { name: "bare", hosts: null, fingerprint: null },
    { name: "one" }
  ])
  const copy = (...names: ReadonlyArray<string>) =>
    ask(stage, "POST", `interns/${internId}/secrets/copy`, { names })
  const unbound = await copy("one", "bare")
  expect([unbound.status, property(property(unbound.body, "error"), "message")]).toEqual([
    409,
    "The secret bare is bound to no host, and cannot be copied"
  ])
  expect((await copy("bare", "none")).status).toBe(404)
  expect((await copy()).status).toBe(400)
  expect((await copy("one", "one")).status).toBe(400)
  expect(namesOf(await ask(stage, "GET", `interns/${internId}/secrets`))).toEqual([])
  // The intern is there, its vault is not any more.
  await Effect.runPromise(Context.get(stage.box.context, VaultStore).close(vault))
  expect((await copy("one")).status).toBe(409)
  const late = await ask(stage, "PUT", `interns/${internId}/secrets/one`, secret("planted"))
  expect(late.status).toBe(409)
  for (const [method, path] of [
    ["GET", "secrets"],
    ["DELETE", "secrets/one"]
  ] as const) {
    expect((await ask(stage, method, `interns/${internId}/${path}`)).status).toBe(404)
  }
})

test("500: a secret that does not open is not copied, and the log says why", async () => {
  await using stage = await Stage.open(scene)
  const { internId, vault } = await hire(stage)
  await ask(stage, "PUT", "secrets/one", secret("planted"))
  const store = Context.get(stage.box.context, VaultStore)
  const { ofWorkspace } = Context.get(stage.box.context, Vaults)
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
  const answer = await ask(stage, "POST", `interns/${internId}/secrets/copy`, { names: ["one"] })
  expect(answer.status).toBe(500)
  expect(answer.text).not.toContain("k1")
  expect(stage.logs.join("\n")).toContain("does not open under k1")
  expect(stage.logs.join("\n")).not.toContain("planted")
  expect((await Effect.runPromise(store.list(vault, { offset: 0, limit: 1 }))).rows).toEqual([])
})

test("429: as often as the key may call", async () => {
  const settings = { rateLimit: { requests: 2, windowMillis: 60_000 } }
  await using stage = await Stage.open({ ...scene, settings })
  const answers = [
    await ask(stage, "GET", "secrets"),
    await ask(stage, "PUT", "secrets/one", secret("planted")),
    await ask(stage, "DELETE", "secrets/one")
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
})

test("what is put at once is there once, and what is deleted at once is deleted once", async () => {
  await using stage = await Stage.open(scene)
  const many = Array.from({ length: 20 }, (_, n) => n)
  const put = await Promise.all(
    many.map((n) => ask(stage, "PUT", "secrets/one", secret(`planted-${n}`)))
  )
  expect(new Set(put.map(({ status }) => status))).toEqual(new Set([200]))
  expect(namesOf(await ask(stage, "GET", "secrets"))).toEqual(["one"])
  const deleted = await Promise.all(many.map(() => ask(stage, "DELETE", "secrets/one")))
  const statuses = deleted.map(({ status }) => status).toSorted((one, other) => one - other)
  expect(statuses).toEqual([204, ...many.slice(1).map(() => 404)])
  expect(deleted.find(({ status }) => status === 204)?.text).toBe("")
})

const operations: ReadonlyArray<{ method: string; path: string; body?: object }> = [
  { method: "GET", path: "secrets" },
  { method: "PUT", path: "secrets/one", body: secret("planted") },
  { method: "DELETE", path: "secrets/one" },
  { method: "GET", path: "interns/:id/secrets" },
  { method: "PUT", path: "interns/:id/secrets/one", body: secret("planted") },
  { method: "DELETE", path: "interns/:id/secrets/one" },
  { method: "POST", path: "interns/:id/secrets/copy", body: { names: ["one"] } }
]

const never = () => Effect.never

test.each(operations)(
  "$method $path is answered though its store never says anything",
  async ({ body, method, path }) => {
    await using stage = await Stage.open({
      ...scene,
      settings: { internRequestDeadlineMillis: 300 }
    })
    const { internId } = await hire(stage)
    const store = Context.get(stage.box.context, VaultStore)
    Object.assign(store, Object.fromEntries(Object.keys(store).map((verb) => [verb, never])))
    const answer = await ask(stage, method, path.replace(":id", internId), body)
    expect([answer.status, property(property(answer.body, "error"), "code")]).toEqual([408, 408])
  }
)

test.each(operations.filter(({ body }) => body !== undefined))(
  "$method $path does not wait for ever for its body",
  async ({ method, path }) => {
    await using stage = await Stage.open({
      ...scene,
      settings: { internRequestDeadlineMillis: 300 }
    })
    const { internId } = await hire(stage)
    const url = `${stage.root}/api/v1/vault/${path.replace(":id", internId)}`
    const status = await statusOfStalled(url, { key: keys.member, method })
    expect(status).toBe(408)
  }
)

describeWithReference("the wire of vaults", (pathOf) => {
  test("is that of the public client's document, in every answer", async () => {
    const { problems, statusesOf } = wireSchemas(pathOf("wire/openapi.json"))
    await using stage = await Stage.open(scene)
    const { internId } = await hire(stage)
    const intern = "/vault/interns/{internId}/secrets"
    const put = secret("planted", "a.example")
    const asked = [
      ["put", "/vault/secrets/{name}", "secrets/one", put, 200],
      ["put", `${intern}/{name}`, `interns/${internId}/secrets/two`, put, 200],
      ["post", `${intern}/copy`, `interns/${internId}/secrets/copy`, { names: ["one"] }, 200],
      ["get", "/vault/secrets", "secrets", undefined, 200],
      ["get", intern, `interns/${internId}/secrets?limit=1`, undefined, 200],
      ["get", "/vault/secrets", "secrets?limit=0", undefined, 400],
      ["get", intern, "interns/none/secrets", undefined, 404],
      ["put", "/vault/secrets/{name}", "secrets/one", {}, 400],
      ["put", "/vault/secrets/{name}", "secrets/one", bodyOf(largest + 1), 413],
      ["put", `${intern}/{name}`, "interns/none/secrets/two", put, 404],
      ["post", `${intern}/copy`, `interns/${internId}/secrets/copy`, { names: ["none"] }, 404],
      ["delete", "/vault/secrets/{name}", "secrets/none", undefined, 404],
      ["delete", `${intern}/{name}`, "interns/none/secrets/two", undefined, 404]
    ] as const
    for (const [method, path, at, body, status] of asked) {
      const answer = await ask(stage, method.toUpperCase(), at, body)
      expect([at, answer.status, problems(method, path, answer)]).toEqual([at, status, []])
      expect(statusesOf(method, path)).toContain(status)
    }
  })

  test("lists every status the service's own document lists", async () => {
    const { statusesOf } = wireSchemas(pathOf("wire/openapi.json"))
    await using stage = await Stage.open()
    const { body } = await send(`${stage.root}/api/v1/openapi.json`, { method: "GET" })
    const paths = Object.entries(Object(property(body, "paths"))).filter(([path]) =>
      path.startsWith("/api/v1/vault/")
    )
    const unlisted = paths.flatMap(([path, methods]) =>
      Object.entries(Object(methods)).flatMap(([method, operation]) => {
        // The last four are allowed everywhere, whatever the list says.
        const listed = new Set([
          ...statusesOf(method, path.replace("/api/v1", "")),
          408,
          409,
          415,
          429
        ])
        return Object.keys(Object(property(operation, "responses")))
          .filter((status) => !listed.has(Number(status)))
          .map((status) => `${method} ${path} ${status}`)
      })
    )
    expect([paths.length, unlisted]).toEqual([5, []])
  })
})
