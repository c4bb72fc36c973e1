/** A provider quotes the credential of a request in every field, and no caller or record shows it. */
import type { IncomingHttpHeaders } from "node:http"
import { anthropic } from "@signalbox/anthropic"
import { bedrock } from "@signalbox/bedrock"
import type { Upstream } from "@signalbox/core/upstream"
import { google, vertex } from "@signalbox/google"
import { Signalbox } from "@signalbox/node"
import { azureOpenai, openai } from "@signalbox/openai"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { describe, expect, onTestFinished, test } from "vitest"
import { pickSample } from "../../vitest.scope.ts"
import { everyFilter } from "../filters/everyFilter.ts"
import { nodeHost } from "../support/hosts.ts"
import { send } from "../support/send.ts"
import { makeTestStores } from "../support/testStores.ts"
import { recordLogs } from "../support/recordTelemetry.ts"
import { asksForStream } from "./asksForStream.ts"
import type { NativeAnswer } from "./NativeAnswer.ts"
import { findProviderDialect } from "./ProviderDialect.ts"
import { encodeEvents, sendNative, startStream } from "./sendNative.ts"
import { speak } from "./speak.ts"

const keys = { member: "sk-redaction-member-1", management: "sk-redaction-management-2" }
const hostSecret = "planted-host-secret-9d3f21"
const customerSecret = "planted-customer-secret-77e0b4"

interface Credential {
  /** How the provider gets it. */
  readonly name: string
  readonly header: string
  readonly model: string
  readonly make: (url: string) => Upstream
  /** Whether a customer's key is sent as another header would be. */
  readonly customerHeader?: string
}

const options = { slug: "quoting", name: "Quoting", apiKey: hostSecret }
const token = () => hostSecret

const credentials: ReadonlyArray<Credential> = [
  {
    name: "a Bearer key of chat",
    header: "authorization",
    model: "acme-native",
    make: (url) => openai({ ...options, baseUrl: `${url}/v1` })
  },
  {
    name: "a Bearer key of Responses",
    header: "authorization",
    model: "gpt-5",
    make: (url) => openai({ ...options, baseUrl: `${url}/v1`, api: "responses" })
  },
  {
    name: "x-api-key",
    header: "x-api-key",
    model: "claude-opus-5",
    make: (url) => anthropic({ ...options, baseUrl: url })
  },
  {
    name: "x-goog-api-key",
    header: "x-goog-api-key",
    model: "gemini-3-flash",
    make: (url) => google({ ...options, baseUrl: `${url}/v1beta` })
  },
  {
    name: "api-key",
    header: "api-key",
    model: "acme-native",
    make: (url) => azureOpenai({ ...options, baseUrl: `${url}/openai/v1` })
  },
  {
    name: "a token of Entra",
    header: "authorization",
    customerHeader: "api-key",
    model: "acme-native",
    make: (url) =>
      azureOpenai({ slug: "quoting", name: "Quoting", token, baseUrl: `${url}/openai/v1` })
  },
  {
    name: "a token of Google Cloud",
    header: "authorization",
    model: "gemini-3-flash",
    make: (url) =>
      vertex({
        slug: "quoting",
        name: "Quoting",
        project: "proof-project",
        location: "global",
        token,
        baseUrl: url
      })
  },
  {
    name: "a signature of AWS",
    header: "authorization",
    model: "anthropic.claude-opus-5",
    make: (url) =>
      bedrock({
        slug: "quoting",
        name: "Quoting",
        region: "us-east-1",
        credentials: {
          accessKeyId: "AKIAPLANTED000000000",
          secretAccessKey: hostSecret,
          sessionToken: "planted-session-token-5512ab"
        },
        baseUrl: url
      })
  }
]

/** What must not be seen: the secrets, and signatures made of them. */
const findSecrets = (headers: IncomingHttpHeaders): ReadonlyArray<string> => [
  hostSecret,
  customerSecret,
  "planted-session-token-5512ab",
  ...(/Signature=[0-9a-f]{64}/.exec(String(headers["authorization"]))?.[0].split("=").slice(1) ??
    [])
]

/** Where a provider may quote the request. */
const quotes = [
  "the error of a refusal",
  "the error of a failure",
  "a header of an error",
  "an error in a 200",
  "the text of an answer"
] as const

const start = async (
  credential: Credential,
  quote: (typeof quotes)[number],
  isFiltered: boolean
) => {
  const scope = Scope.makeUnsafe()
  const server = await Effect.runPromise(
    startRecordingServer((request, response) => {
      const said = JSON.stringify(request.headers)
      const error = { error: { code: 500, message: `no: ${said}`, type: "api_error" } }
      if (quote === "the error of a refusal") return sendJson(response, error, 400)
      if (quote === "the error of a failure") return sendJson(response, error, 500)
      if (quote === "a header of an error") {
        response.setHeader("x-request-id", encodeURI(said).slice(0, 4_000))
        return sendJson(response, { error: { message: "no" } }, 401)
      }
      if (quote === "an error in a 200") {
        if (!asksForStream(request)) return sendJson(response, error)
        startStream(response)
        return response.end(encodeEvents([{ event: "error", data: { type: "error", ...error } }]))
      }
      const dialect = findProviderDialect(request.url?.split("?", 1)[0] ?? "")
      const answer: NativeAnswer = speak({
        said: [{ thought: `It said ${said}` }, { text: ["I was told ", said] }]
      })[dialect]
      return sendNative(answer, request, response)
    }).pipe(Scope.provide(scope))
  )
  const logs: Array<string> = []
  const records: Array<string> = []
  const instance = await Signalbox.make({
    ...makeTestStores(),
    upstreams: [credential.make(server.url)],
    models: [
      {
        id: "proof/model",
        endpoints: [{ provider: "quoting", model: credential.model, price: {} }]
      }
    ],
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" }
    ],
    sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } },
    log: true,
    broadcast: [(record) => void records.push(JSON.stringify(record))],
    telemetry: recordLogs(logs)
  })
  if (isFiltered) await instance.guardrails.update(everyFilter)
  const host = await nodeHost.start(instance, "")
  onTestFinished(async () => {
    await host.close()
    await instance.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
  const call = (key: string, path: string, body: unknown) =>
    send(`${host.origin}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  return { call, logs, records, server }
}

type Call = Awaited<ReturnType<typeof start>>["call"]

const bring = async (call: Call): Promise<void> => {
  const made = await call(keys.management, "byok", {
    provider: "quoting",
    key: customerSecret,
    name: "theirs"
  })
  if (made.status >= 300) throw new Error(made.text)
}

describe.each(credentials)("$name", ({ header, ...credential }) => {
  const cases = quotes.flatMap((quote) =>
    [false, true].flatMap((stream) =>
      (["host", "customer"] as const).map((owner, at) => ({
        quote,
        stream,
        owner,
        isFiltered: stream === (at === 0)
      }))
    )
  )

  test.each(pickSample(cases, 10))(
    "of the $owner is not shown by $quote (stream: $stream, content filters: $isFiltered)",
    async ({ isFiltered, owner, quote, stream }) => {
      const { call, logs, records, server } = await start(
        { header, ...credential },
        quote,
        isFiltered
      )
      if (owner === "customer") await bring(call)
      const answer = await call(keys.member, "chat/completions", {
        model: "proof/model",
        messages: [{ role: "user", content: "Who am I?" }],
        stream
      })
      await expect.poll(() => records).toHaveLength(1)
      const sent = server.requests[0]?.headers ?? {}
      const { customerHeader = header } = credential
      // The provider did get the credential.
      expect(String(sent[owner === "customer" ? customerHeader : header])).toMatch(
        owner === "customer" ? /planted-customer-secret/ : /planted-host-secret|Signature=/
      )
      const shown = [answer.text, JSON.stringify(answer.headers), ...records, ...logs].join("\n")
      for (const secret of server.requests.flatMap(({ headers }) => findSecrets(headers))) {
        expect(shown).not.toContain(secret)
      }
    }
  )
})
