import { inspect } from "node:util"
import type { Upstream } from "@signalbox/core/upstream"
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import { fault, reply, ScriptedUpstream, type Step } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { hosts } from "../support/hosts.ts"
import { getProperty } from "../support/getProperty.ts"
import {
  keys,
  makeDecisionRequest,
  slugs,
  TestServer,
  toUpstreamKey
} from "../support/TestServer.ts"
import { decisionMethods } from "../support/decisionMethods.ts"

/** A request with a unique text in every field that identifies the caller. */
const planted = {
  body: {
    session_id: "planted-session",
    user: "planted-user",
    trace: {
      trace_id: "0123456789abcdef0123456789abcdef",
      parent_span_id: "fedcba9876543210",
      trace_name: "planted-trace-name",
      span_name: "planted-span-name",
      generation_name: "planted-generation-name",
      "planted-trace-key": { deep: ["planted-trace-value"] }
    },
    "planted-unknown-key": "planted-unknown-value",
    stream: "planted-stream"
  },
  headers: {
    "x-session-id": "planted-header-session",
    cookie: "planted=cookie",
    referer: "https://planted-referer.example",
    "http-referer": "https://planted-http-referer.example",
    "x-openrouter-title": "planted-title",
    "x-forwarded-for": "203.0.113.77",
    traceparent: "00-aaaabbbbccccddddaaaabbbbccccdddd-1111222233334444-01",
    baggage: "planted=baggage",
    "user-agent": "planted-agent/1.0",
    "accept-language": "planted-language"
  }
}

const traces = [
  "planted",
  "0123456789abcdef0123456789abcdef",
  "fedcba9876543210",
  "203.0.113.77",
  "aaaabbbbccccdddd",
  "1111222233334444",
  ...Object.values(keys)
]

const listFound = (needles: ReadonlyArray<string>, haystack: string): ReadonlyArray<string> =>
  needles.filter((needle) => haystack.toLowerCase().includes(needle.toLowerCase()))

describe.each(hosts)("behind $name", (host) => {
  test.each(decisionMethods)(
    "a provider called with the method $name receives no data about the caller",
    async (method) => {
      await using server = await TestServer.start({ host, method })
      server.upstreams.first.always(fault.status(503))
      const answer = await server.ask(makeDecisionRequest(planted.body), {
        headers: planted.headers
      })
      expect(answer.status).toBe(200)
      for (const slug of slugs) {
        const { requests } = server.upstreams[slug]
        expect(requests.length).toBeGreaterThan(0)
        const others = slugs.filter((other) => other !== slug).map(toUpstreamKey)
        expect(listFound([...traces, ...others], JSON.stringify(requests))).toEqual([])
      }
      // The record keeps the caller's data.
      const record = await server.generation(getProperty(answer.body, "id"))
      expect(record).toMatchObject({
        session: planted.body.session_id,
        externalUser: planted.body.user,
        trace: planted.body.trace
      })
      expect(listFound(Object.values(keys), inspect(record, { depth: 20 }))).toEqual([])
    }
  )
})

/** A key with characters that encoders may escape. */
const secret = "sk-planted/Zx81+qq=="
const headerSecret = "planted-header-credential-55f2"
const secrets = [secret, headerSecret, ...Object.values(keys)]

type LeakCase = readonly [string, Step]

/** Ways in which a provider may quote a credential. */
const makeLeakCases = (credential: string): ReadonlyArray<LeakCase> => {
  const message = `The key ${credential} is not welcome`
  return [
    ...[400, 401, 403, 404, 429, 500, 503].map((status): LeakCase => [
      `quotes it in a ${status}`,
      fault.status(status, { message })
    ]),
    ["quotes it in an error inside a 200", fault.errorInBody(500, message)],
    ["quotes it repeatedly", fault.status(401, { message: message.repeat(100) })],
    ["answers with it as the model", reply.decision({}, { model: message })]
  ]
}

/** Parts of a response that are never passed on. */
const makeUpstreamOnlyCases = (credential: string): ReadonlyArray<LeakCase> => [
  ["quotes it as the kind of an error", fault.status(400, { kind: credential })],
  ["quotes it in text", reply.raw(credential, { status: 401 })],
  ["quotes it in a header", fault.status(401, { headers: { "x-key": credential } })]
]

/** JSON with the credential in a different encoding. */
const makeEncodedCases = (credential: string): ReadonlyArray<LeakCase> => {
  const quoted = JSON.stringify({ error: { message: credential } })
  const inJson = { status: 401, headers: { "content-type": "application/json" } }
  return [
    ["escapes its slashes", reply.raw(quoted.replaceAll("/", "\\/"), inJson)],
    ["escapes a letter", reply.raw(quoted.replaceAll("planted", "pl\\u0061nted"), inJson)]
  ]
}

const makeUpstreams = ({ url }: ScriptedUpstream): ReadonlyArray<Upstream> => [
  openrouter({ slug: "native", baseUrl: url, apiKey: secret }),
  openai({
    slug: "chat",
    baseUrl: `${url}/v1`,
    apiKey: secret,
    headers: { "api-key": headerSecret }
  })
]

/** The credentials that leak from an instance when its provider answers with `step`. */
const listLeakedCredentials = async (slug: string, step: Step): Promise<ReadonlyArray<string>> => {
  await using provider = await ScriptedUpstream.start()
  await using server = await TestServer.start({ extraUpstreams: makeUpstreams(provider) })
  provider.always(step)
  const answer = await server.ask(makeDecisionRequest({ model: `proof/${slug}`, provider: null }))
  expect(provider.requests[0]?.headers["authorization"]).toBe(`Bearer ${secret}`)
  const seen = [
    answer.text,
    JSON.stringify(answer.headers),
    inspect(await server.generation(getProperty(answer.body, "id")), { depth: 20 }),
    ...server.logs
  ]
  return listFound(secrets, seen.join("\n"))
}

describe.each(["native", "chat"])("a credential of the %s upstream", (slug) => {
  test.each([...makeLeakCases(secret), ...makeUpstreamOnlyCases(secret)])(
    "does not leak when the provider %s",
    async (_, step) => {
      expect(await listLeakedCredentials(slug, step)).toEqual([])
    }
  )

  test.each(makeEncodedCases(secret))("does not leak when the provider %s", async (_, step) => {
    expect(await listLeakedCredentials(slug, step)).toEqual([])
  })

  test("is not visible in any part of an instance", async () => {
    await using provider = await ScriptedUpstream.start()
    const extraUpstreams = makeUpstreams(provider)
    await using server = await TestServer.start({ extraUpstreams })
    await server.ask(makeDecisionRequest({ model: `proof/${slug}`, provider: null }))
    const shown = inspect([server.instance, extraUpstreams], {
      depth: 50,
      showHidden: true,
      maxStringLength: null
    })
    expect(listFound(secrets, shown)).toEqual([])
  })
})

describe("a credential in a header of the chat upstream", () => {
  test.each(makeUpstreamOnlyCases(headerSecret))(
    "does not leak when the provider %s",
    async (_, step) => {
      expect(await listLeakedCredentials("chat", step)).toEqual([])
    }
  )

  test.each([...makeLeakCases(headerSecret), ...makeEncodedCases(headerSecret).slice(1)])(
    "does not leak when the provider %s",
    async (_, step) => {
      expect(await listLeakedCredentials("chat", step)).toEqual([])
    }
  )
})

test("a rejected key appears in no response and log", async () => {
  await using server = await TestServer.start()
  const unknown = "sk-planted-unknown-key-31"
  const answers = [
    await server.ask(makeDecisionRequest(), { key: unknown }),
    await server.ask("{", { key: unknown }),
    await server.ask(makeDecisionRequest({ model: "x" }), { key: keys.management })
  ]
  const seen = [
    ...answers.map(({ headers, text }) => JSON.stringify(headers) + text),
    ...server.logs
  ]
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 403])
  expect(listFound([unknown, ...Object.values(keys)], seen.join("\n"))).toEqual([])
})
