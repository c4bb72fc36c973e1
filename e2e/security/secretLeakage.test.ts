/** A secret in any input of any operation is visible only to its own account. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text as textOf } from "node:stream/consumers"
import { inspect } from "node:util"
import { defaultWorkspaceId, type Options } from "@signalbox/core"
import { operations } from "@signalbox/core/adapter"
import { Signalbox } from "@signalbox/node"
import * as Layer from "effect/Layer"
import type * as Tracer from "effect/Tracer"
import { expect, test } from "vitest"
import { pickScope } from "../../vitest.scope.ts"
import { nodeHost } from "../support/hosts.ts"
import { native } from "../support/decisionMethods.ts"
import { getProperty } from "../support/getProperty.ts"
import { makeSample } from "../support/sampleJson.ts"
import { send } from "../support/send.ts"
import { recordLogs, recordSpans } from "../support/recordTelemetry.ts"
import { cachingAll } from "../support/TestServer.ts"

const keys = {
  management: "sk-planted-key-of-management-5d10",
  member: "sk-planted-key-of-member-8ac2",
  /** A key of another account. */
  stranger: "sk-planted-key-of-stranger-19fe"
}
const sealingKey = "a planted-key-that-seals-what-customers-bring"
const upstreamKey = "sk-planted-key-at-the-upstream-77b3"
const planted = /planted-[\w-]+/g

/** Creates a unique text in the format of a slug, so that it passes validation where possible. */
let count = 0
const makePlantedSecret = (field: string): string =>
  `planted-${field.replaceAll(/[^a-z]+/g, "-")}-${count++}`.replaceAll("--", "-")

/** Everything that the upstream quoted in its errors. */
let quoted = ""

const quoteRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const message = `${request.headers.authorization} may not ask ${await textOf(request)}`
  quoted += message
  response
    .writeHead(400, { "content-type": "application/json" })
    .end(JSON.stringify({ error: { code: 400, message } }))
}

/** Starts an upstream that rejects every request and quotes it in the error. */
const startQuotingUpstream = async (): Promise<Server> => {
  const server = createServer((request, response) => void quoteRequest(request, response))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return server
}

const startServer = async (port: number, options: Partial<Options>) => {
  const logs: Array<string> = []
  const spans: Array<Tracer.NativeSpan> = []
  const instance = await Signalbox.make({
    upstreams: [
      native.makeUpstream(`http://127.0.0.1:${port}`, {
        slug: "first",
        name: "First",
        apiKey: upstreamKey
      })
    ],
    models: [{ id: "proof/model", endpoints: [{ provider: "first", price: {} }] }],
    keys: [
      { key: keys.management, kind: "management" },
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.stranger, kind: "management", account: "stranger" }
    ],
    sealing: { current: "k", keys: { k: sealingKey } },
    log: true,
    broadcast: [() => Promise.reject(new Error("no"))],
    ioLog: () => Promise.reject(new Error("no")),
    ...options,
    telemetry: Layer.merge(recordLogs(logs), recordSpans(spans))
  })
  return { instance, host: await nodeHost.start(instance, ""), logs, spans }
}

const makeVaultBody = (value: unknown) =>
  JSON.stringify({ hosts: ["api.example.com", "b.example"], value })

const makeHeaders = (key: string) => ({
  authorization: `Bearer ${key}`,
  "content-type": "application/json",
  cookie: makePlantedSecret("cookie"),
  referer: `https://example.com/${makePlantedSecret("referer")}`,
  "user-agent": makePlantedSecret("agent"),
  "x-session-id": makePlantedSecret("session"),
  "x-title": makePlantedSecret("title"),
  "x-nobody-knows-this": makePlantedSecret("header")
})

interface OperationDocument {
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string }>
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: unknown }>>
  }
}

const findOperation = (document: unknown, method: string, path: string): OperationDocument => {
  const inDocument = path.replaceAll(/:(\w+)/g, "{$1}")
  const found = getProperty(
    getProperty(getProperty(document, "paths"), inDocument),
    method.toLowerCase()
  )
  return found ?? {}
}

/** Fills in ids that exist in every account where possible. */
const toExistingPath = (path: string): string =>
  path
    .replaceAll(/:(id|workspace_ref)\b/g, defaultWorkspaceId)
    .replace(":interval", "daily")
    .replaceAll(/:\w+/g, "none")

/** Creates requests of an operation with secrets in every input. */
const makeRequests = (document: unknown, { method, path }: (typeof operations)[number]) => {
  const { parameters = [], requestBody } = findOperation(document, method, path)
  const schemas = getProperty(getProperty(document, "components"), "schemas") as Record<
    string,
    unknown
  >
  const schema = requestBody?.content["application/json"]?.schema
  const query = new URLSearchParams({ nobody_knows_this: makePlantedSecret("query") })
  for (const parameter of parameters) {
    if (parameter.in === "query") query.set(parameter.name, makePlantedSecret(parameter.name))
  }
  const plain = toExistingPath(path)
  const addresses = [
    plain,
    path.replaceAll(/:(\w+)/g, (_, name: string) => makePlantedSecret(name)),
    `${plain}?${query.toString()}`
  ]
  const bodies =
    schema === undefined
      ? [undefined]
      : [
          JSON.stringify(
            makeSample(schemas, { text: makePlantedSecret, everywhere: false })(schema, "body")
          ),
          JSON.stringify(
            makeSample(schemas, { text: makePlantedSecret, everywhere: true })(schema, "body")
          ),
          `{"${makePlantedSecret("broken")}`
        ]
  return addresses.flatMap((address) => bodies.map((body) => ({ address, body, method })))
}

/** A stream of events goes on until it has sent so many. */
const endStreams = (address: string): string =>
  address.endsWith("/endpoints/events") ? `${address}?count=1` : address

const cached = [", with the cache of responses", cachingAll] as const

test.each([["", {}] as const, ...pickScope({ full: [cached], sample: [] })])(
  "secrets in the inputs of all operations do not leak%s",
  async (_, options) => {
    const upstream = await startQuotingUpstream()
    const { instance, host, logs, spans } = await startServer(
      (upstream.address() as AddressInfo).port,
      options
    )
    const { body: document } = await send(`${host.origin}/api/v1/openapi.json`, { method: "GET" })
    const answers: Array<{
      readonly what: string
      readonly sent: string
      readonly status: number
      readonly text: string
    }> = []
    const ask = async (
      key: string,
      method: string,
      address: string,
      body?: string
    ): Promise<string> => {
      const { status, text } = await send(host.origin + endStreams(address), {
        method,
        headers: makeHeaders(key),
        body
      })
      answers.push({ what: `${method} ${address}`, sent: body ?? "", status, text })
      return text
    }

    // A Decision that is routed and has all optional fields.
    const decision = {
      model: "proof/model",
      state: { [makePlantedSecret("state-key")]: makePlantedSecret("state") },
      questions: {
        [makePlantedSecret("name")]: {
          type: "noul",
          instructions: makePlantedSecret("instructions")
        }
      },
      session_id: makePlantedSecret("session"),
      user: makePlantedSecret("user"),
      trace: { span_name: makePlantedSecret("trace"), customer: makePlantedSecret("trace") },
      [makePlantedSecret("unknown")]: makePlantedSecret("value")
    }
    const preferences = JSON.stringify({
      is_observability_broadcast_enabled: true,
      is_observability_io_logging_enabled: true
    })
    await ask(keys.management, "PATCH", toExistingPath("/api/v1/workspaces/:id"), preferences)
    for (const request of [decision, { ...decision, model: makePlantedSecret("model") }]) {
      const requestBody = JSON.stringify(request)
      await ask(keys.member, "POST", "/api/alpha/decisions", requestBody)
      await ask(keys.management, "POST", "/api/v1/signalbox/plan", JSON.stringify({ request }))
    }
    // Secrets that are stored, returned once, updated and used.
    const issuedSecrets = new Set<string>()
    const manage = async (method: string, path: string, body?: object): Promise<unknown> => {
      const address = `/api/v1/${path}`
      const sent = body === undefined ? "" : JSON.stringify(body)
      const {
        body: answer,
        status,
        text
      } = await send(host.origin + address, {
        method,
        headers: makeHeaders(keys.management),
        body: body === undefined ? undefined : sent
      })
      const issued = getProperty(answer, "key") ?? getProperty(answer, "secret")
      if (typeof issued === "string") issuedSecrets.add(issued)
      // The response that issues a secret is the only one that may contain it.
      const others = typeof issued === "string" ? text.replaceAll(issued, "") : text
      answers.push({ what: `${method} ${address}`, sent, status, text: others })
      return getProperty(answer, "data")
    }
    const duplicate = { name: "twice", slug: "planted-slug-twice" }
    await manage("POST", "workspaces", duplicate)
    await manage("POST", "workspaces", duplicate)
    const webhook = `signalbox/workspaces/${defaultWorkspaceId}/webhook`
    await manage("PUT", webhook, { callback_url: "https://example.com/hook?token=planted-token" })
    const signing = await manage("POST", `${webhook}/secrets`)
    const key = await manage("POST", "keys", {
      name: "a key to rotate",
      external: { user: "partner", api_key: "planted-key-of-a-partner-0123456789" }
    })
    const hash = String(getProperty(key, "hash"))
    await manage("POST", `signalbox/keys/${hash}/rotate`, { grace_seconds: 60 })
    const credential = await manage("POST", "byok", {
      provider: "first",
      key: "planted-key-of-byok-1"
    })
    const id = String(getProperty(credential, "id"))
    await manage("PATCH", `byok/${id}`, { key: "planted-key-of-byok-2" })
    await manage("PATCH", `byok/${id}`, { key: ["planted-key-of-byok-3"] })
    await manage("PATCH", `byok/${id}`, { key: "planted-key-of-byok-4 " })
    // Secrets in the vault of a workspace.
    for (const value of [
      "planted-key-of-vault-1",
      "planted-key-of-vault-2",
      [makePlantedSecret("key")]
    ]) {
      await ask(keys.member, "PUT", "/api/v1/vault/secrets/vaulted", makeVaultBody(value))
    }
    await ask(keys.member, "GET", "/api/v1/vault/secrets")
    const copyBody = JSON.stringify({ names: ["vaulted"] })
    await ask(keys.member, "POST", "/api/v1/vault/interns/none/secrets/copy", copyBody)
    await ask(keys.member, "DELETE", "/api/v1/vault/secrets/vaulted")
    // The request uses the secret, as the upstream quotes the credential.
    await ask(keys.member, "POST", "/api/alpha/decisions", JSON.stringify(decision))
    for (const path of ["byok", `byok/${id}`, "signalbox/byok", "keys", `keys/${hash}`, webhook]) {
      await manage("GET", path)
    }
    await manage("DELETE", `${webhook}/secrets/${String(getProperty(signing, "id"))}`)
    await manage("DELETE", webhook)
    await manage("DELETE", `keys/${hash}`)
    await manage("DELETE", `byok/${id}`)
    for (const operation of operations) {
      // Deletions come last, as they remove what the other operations change.
      if (operation.method === "DELETE") continue
      for (const { address, body, method } of makeRequests(document, operation)) {
        await ask(keys.management, method, address, body)
        await ask(keys.member, method, address, body)
        await ask(makePlantedSecret("key"), method, address, body)
      }
    }
    for (const operation of operations) {
      if (operation.method !== "DELETE") continue
      for (const { address, body, method } of makeRequests(document, operation)) {
        await ask(keys.management, method, address, body)
      }
    }
    const own = await ask(keys.management, "GET", "/api/v1/signalbox/audit?limit=100")

    const strangers: Array<string> = []
    for (const { method, path } of operations) {
      if (method !== "GET") continue
      strangers.push(await ask(keys.stranger, "GET", toExistingPath(path)))
    }
    const metrics = await instance.metrics()
    const health = JSON.stringify(await instance.health())
    await host.close()
    await instance.close()
    upstream.closeAllConnections()
    upstream.close()

    // Planted values are found where they are visible, so the checks below can fail.
    const accepted = answers.filter(({ status }) => status < 300).map(({ what }) => what)
    for (const what of [
      "members/add",
      "budgets/daily",
      "signalbox/account",
      "POST /api/v1/works"
    ]) {
      expect(accepted.join("\n")).toContain(what)
    }
    expect(own).toMatch(planted)
    for (const what of [
      "vault.secret.put",
      "vault.secret.delete",
      "webhook.put",
      "webhook.secret.create",
      "key.rotate",
      "byok.update"
    ]) {
      expect(own).toContain(`"${what}"`)
    }
    expect(issuedSecrets.size).toBe(3)
    expect(quoted).toContain("planted-key-of-byok-2")
    expect(logs.join("\n")).toContain("generation")
    expect(spans.length).toBeGreaterThan(0)
    expect(metrics).toContain("signalbox_requests_total")

    const found = (text: string): ReadonlyArray<string> => text.match(planted) ?? []
    // Callers may add the fields of `trace` to their spans.
    const ofTrace = /^planted-(trace|span|generation|parent)-/
    const inSpans = spans.flatMap(({ attributes, name, status }) =>
      found(inspect([name, status, [...attributes]], { depth: 12 }))
    )
    expect(inSpans.filter((text) => !ofTrace.test(text))).toEqual([])
    expect(found(logs.join("\n"))).toEqual([])
    expect(found(metrics)).toEqual([])
    expect(found(health)).toEqual([])
    expect(found(strangers.join("\n"))).toEqual([])
    // Server errors do not contain details.
    expect(
      found(answers.map(({ status, text }) => (status >= 500 ? text : "")).join("\n"))
    ).toEqual([])

    // An error about a body does not repeat its content.
    const refused = answers.filter(
      ({ sent, status, what }) =>
        status >= 400 && sent !== "" && !/decisions|systemone|plan\b/.test(what)
    )
    expect(refused.filter(({ status }) => status === 400).length).toBeGreaterThan(100)
    expect(
      refused.flatMap(({ sent, text }) => found(sent).filter((each) => text.includes(each)))
    ).toEqual([])

    const everything = [
      ...answers.map(({ text }) => text),
      ...logs,
      ...spans.map((span) => inspect(span, { depth: 12 })),
      metrics,
      health
    ].join("\n")
    for (const key of [...Object.values(keys), ...issuedSecrets, sealingKey, upstreamKey])
      expect(everything).not.toContain(key)
    // The audit log contains the webhook address without the token in its query.
    expect(own).toContain("example.com/hook")
    expect(own).not.toContain("planted-token")
    expect(everything).not.toMatch(/planted-(key|cookie|agent|referer|title|header)-/)
  }
)
