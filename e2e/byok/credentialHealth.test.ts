import { inspect } from "node:util"
import { UpstreamFailure } from "@signalbox/core/upstream"
import { Health } from "@signalbox/core/adapter"
import type { EndpointReport } from "@signalbox/core/contract"
import type { PriceList } from "@signalbox/core"
import type { DecisionCapability, Upstream } from "@signalbox/core/upstream"
import { fault, reply } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect, test } from "vitest"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { send } from "../support/send.ts"
import {
  keys,
  makeDecisionRequest,
  type TestServerOptions,
  TestServer,
  toUpstreamKey
} from "../support/TestServer.ts"

const sealing = { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } }
const cent: PriceList = { prompt: "0", completion: "0", request: "0.01" }
const makeSecret = (name: string) => `sk-customer-${name}-5d0f1c9e7b`
const toBearer = (secret: string) => `Bearer ${secret}`
const onlyFirst = makeDecisionRequest({ provider: { only: ["first"] } })

const manage = async ({ root }: TestServer, method: string, path: string, body?: object) => {
  const answer = await send(`${root}/api/v1/${path}`, {
    method,
    headers: { authorization: toBearer(keys.management), "content-type": "application/json" },
    ...(body === undefined ? undefined : { body: JSON.stringify(body) })
  })
  expect(answer.status).toBeLessThan(300)
  return Object(answer.body)
}

/** Creates a credential that only the member may use. */
const createCredential = async (
  server: TestServer,
  name: string,
  rest: object = {}
): Promise<string> => {
  const { data } = await manage(server, "POST", "byok", {
    provider: "first",
    key: makeSecret(name),
    name,
    allowed_user_ids: ["mem-1"],
    ...rest
  })
  return String(data.id)
}

const createCredentials = async (
  server: TestServer,
  names: ReadonlyArray<string>,
  rest: object = {}
) => {
  for (const name of names) await createCredential(server, name, rest)
}

const makeUnauthorizedSteps = (count: number) =>
  Array.from({ length: count }, () => fault.status(401))

/** The secrets with which the first provider was called after the first `since` calls. */
const listSecretsSent = ({ upstreams: { first } }: TestServer, since = 0): ReadonlyArray<string> =>
  first.requests.slice(since).map(({ headers }) => {
    const secret = String(headers["authorization"])
    return secret === toBearer(toUpstreamKey("first"))
      ? "the host"
      : secret.replace(/^Bearer sk-customer-(.*)-5d0f1c9e7b$/, "$1")
  })

/** The health of an endpoint or of a credential at one, including entries hidden from other callers. */
const findHealth = async (
  { instance }: TestServer,
  id: string
): Promise<EndpointReport | undefined> => {
  const { endpoints } = await Effect.runPromise(Context.get(instance.context, Health).reportAll)
  return endpoints[id]
}

const sharedEndpointId = "proof/model@first"
const startPricedServer = (rest: TestServerOptions = {}) =>
  TestServer.start({ price: cent, sealing, ...rest })

test.each([401, 402, 403, 429, 500, 503])(
  "a customer's credential answered with %d opens only its own breaker",
  async (status) => {
    await using server = await TestServer.start({ sealing })
    const { first } = server.upstreams
    const id = await createCredential(server, "bad", { is_byok_only: true })
    for (let request = 0; request < 12; request++) {
      first.script(fault.status(status))
      expect((await server.ask(onlyFirst)).status).toBeGreaterThan(400)
    }
    expect(new Set(listSecretsSent(server))).toEqual(new Set(["bad"]))
    const own = status === 429 ? "backing_off" : "open"
    expect(await findHealth(server, `${sharedEndpointId}#${id}`)).toMatchObject({
      breaker: { state: own }
    })
    expect(await findHealth(server, sharedEndpointId)).toBeUndefined()
    const before = first.requests.length
    first.always(reply.decision())
    expect((await server.ask(onlyFirst, { key: keys.organization })).status).toBe(200)
    expect(listSecretsSent(server, before)).toEqual(["the host"])
  }
)

test("a customer's success does not close the breaker of the host's rejected credential", async () => {
  // With this interval, every request may be the probe.
  await using server = await TestServer.start({
    sealing,
    settings: { breakerProbeIntervalMillis: 1 }
  })
  const { first } = server.upstreams
  await createCredential(server, "good")
  first.always(fault.status(401))
  for (let request = 0; request < 12; request++) {
    await server.ask(onlyFirst, { key: keys.organization })
  }
  expect(await findHealth(server, sharedEndpointId)).toMatchObject({ breaker: { state: "open" } })
  first.always(reply.decision())
  const before = first.requests.length
  for (let request = 0; request < 12; request++) {
    expect((await server.ask(onlyFirst)).status).toBe(200)
  }
  expect(new Set(listSecretsSent(server, before))).toEqual(new Set(["good"]))
  expect(await findHealth(server, sharedEndpointId)).toMatchObject({ breaker: { state: "open" } })
})

test("the measurements of an endpoint exclude requests on customers' credentials", async () => {
  await using server = await TestServer.start({ sealing })
  await createCredential(server, "one")
  await server.ask(onlyFirst)
  expect(await findHealth(server, sharedEndpointId)).toBeUndefined()
  await server.ask(onlyFirst, { key: keys.organization })
  expect(await findHealth(server, sharedEndpointId)).toMatchObject({ samples: 1 })
})

test("rejected credentials without remaining credits result in a 402", async () => {
  await using server = await startPricedServer({ credits: { default: "0.001" } })
  await createCredentials(server, ["one", "two"])
  server.upstreams.first.script(fault.status(401), fault.status(403))
  const answer = await server.ask(onlyFirst)
  expect(listSecretsSent(server)).toEqual(["one", "two"])
  expect(answer.status).toBe(402)
  expect(parseErrorEnvelope(answer).metadata).toMatchObject({ error_type: "payment_required" })
})

test("rejected credentials with an exhausted budget result in a 403", async () => {
  await using server = await startPricedServer()
  await manage(server, "PUT", "workspaces/default/budgets/daily", { limit_usd: 0.001 })
  await createCredential(server, "one")
  server.upstreams.first.script(fault.status(402))
  const answer = await server.ask(onlyFirst)
  expect(answer.status).toBe(403)
  expect(parseErrorEnvelope(answer).metadata).toMatchObject({ limit: "workspace" })
})

test.each([429, 500])(
  "a credential answered with %d results in a retryable error, even without credits",
  async (status) => {
    await using server = await startPricedServer({ credits: { default: "0.001" } })
    await createCredential(server, "one")
    server.upstreams.first.always(fault.status(status))
    const answer = await server.ask(onlyFirst)
    expect(answer.status).toBe(status === 429 ? 429 : 502)
    expect(parseErrorEnvelope(answer).metadata).toMatchObject({ availability: { retryable: true } })
  }
)

test("a credential declared to have zero data retention serves guardrails that require it by author", async () => {
  await using server = await TestServer.start({ sealing })
  const { data } = await manage(server, "GET", "workspaces/default")
  const setZdr = (flags: object) =>
    manage(server, "PATCH", `guardrails/${data.default_guardrail_id}`, flags)
  await createCredential(server, "silent")
  for (const flags of [
    { enforce_zdr_other: true },
    { enforce_zdr: true, enforce_zdr_openai: false }
  ]) {
    await setZdr({ enforce_zdr: null, enforce_zdr_openai: null, enforce_zdr_other: null, ...flags })
    expect((await server.ask(onlyFirst)).status).toBe(404)
  }
  await createCredential(server, "declared", { declared_zdr: true })
  expect((await server.ask(onlyFirst)).status).toBe(200)
  expect(listSecretsSent(server)).toEqual(["declared"])
})

test("a credential declared to retain data is skipped where a guardrail requires zero retention by author", async () => {
  await using server = await TestServer.start({ sealing, zdr: true })
  const { data } = await manage(server, "GET", "workspaces/default")
  await manage(server, "PATCH", `guardrails/${data.default_guardrail_id}`, {
    enforce_zdr_other: true
  })
  await createCredential(server, "keeping", { declared_zdr: false })
  expect((await server.ask(onlyFirst)).status).toBe(200)
  expect(listSecretsSent(server)).toEqual(["the host"])
})

/** Fails in the way its slug names, with the defect that `thrown` creates from the secret of the call. */
const makeThrowingUpstream = (slug: string, thrown: (secret: string) => unknown): Upstream => {
  const decide: DecisionCapability["decide"] = ({ credential }) => {
    const defect = thrown(credential === undefined ? "nothing" : Redacted.value(credential))
    if (slug.endsWith("throws")) throw defect
    return slug.endsWith("rejects")
      ? Effect.promise(() => Promise.reject(defect))
      : Effect.die(defect)
  }
  return {
    slug,
    name: slug,
    decisions: { decide, estimateWorstCase: () => ({ inputTokens: 0, outputTokens: 0 }) }
  }
}

const secret = `sk-"quoted"\\${makeSecret("planted")}`
const defects: Readonly<Record<string, (secret: string) => unknown>> = {
  message: (secret) => new Error(secret),
  sentence: (secret) => new TypeError(`no header ${secret}: ${JSON.stringify({ secret })}`),
  cause: (secret) => new Error("no", { cause: new Error("because", { cause: secret }) }),
  property: (secret) => Object.assign(new Error("no"), { config: { headers: [secret] } }),
  name: (secret) => Object.assign(new Error("no"), { name: secret }),
  text: (secret) => `no ${secret}`,
  thing: (secret) => ({ request: { headers: { authorization: secret } } }),
  failure: (secret) => new UpstreamFailure({ kind: "server_error", detail: secret }),
  own: (secret) => {
    const error = new Error(secret)
    return Object.assign(error, { cause: error })
  }
}

test.each(
  Object.keys(defects).flatMap((kind) =>
    ["throws", "rejects", "dies"].map((how) => [kind, how] as const)
  )
)(
  "a customer's secret stays out of the log when an upstream has a defect: a %s that it %s",
  async (kind, how) => {
    const slug = `${kind}-${how}`
    await using server = await TestServer.start({
      sealing,
      extraUpstreams: [makeThrowingUpstream(slug, defects[kind]!)]
    })
    await createCredential(server, "planted", { provider: slug, key: secret })
    const answer = await server.ask(makeDecisionRequest({ model: `proof/${slug}`, provider: {} }))
    expect(answer.status).toBe(kind === "failure" ? 503 : 502)
    // A thrown `UpstreamFailure` counts as a failure of the provider, not as a defect.
    expect(server.logs.join().includes(`the code of the upstream "${slug}" has a defect`)).toBe(
      kind !== "failure"
    )
    const everything = inspect([server.logs, answer.text], { depth: 30 })
    expect(everything).not.toContain("5d0f1c9e7b")
  }
)

test("a valid credential is reached after rejected ones", async () => {
  await using server = await TestServer.start({ sealing })
  const { first } = server.upstreams
  await createCredentials(server, ["1", "2", "3", "4", "5", "6", "7", "live"])
  first.script(...makeUnauthorizedSteps(7))
  expect((await server.ask(onlyFirst)).status).toBe(200)
  expect(listSecretsSent(server)).toEqual(["1", "2", "3", "4", "5", "6", "7", "live"])
  expect((await server.ask(onlyFirst)).status).toBe(200)
  expect(listSecretsSent(server, 8)).toEqual(["live"])
  const explained = await server.instance.explain(onlyFirst)
  expect(explained.ordered.map(({ credential }) => credential)).toEqual([undefined])
})

test("a request starts with the credentials that the previous request had no attempts left for", async () => {
  await using server = await TestServer.start({ sealing })
  const { first } = server.upstreams
  const dead = Array.from({ length: 25 }, (_, i) => String(i))
  await createCredentials(server, [...dead, "live"])
  first.script(...makeUnauthorizedSteps(20), reply.decision(), ...makeUnauthorizedSteps(5))
  expect((await server.ask(onlyFirst)).status).toBe(200)
  expect(listSecretsSent(server)).toEqual([...dead.slice(0, 20), "the host"])
  expect((await server.ask(onlyFirst)).status).toBe(200)
  expect(listSecretsSent(server, 21)).toEqual([...dead.slice(20), "live"])
})

test("a dry run states which credential is demoted because it was rejected", async () => {
  await using server = await TestServer.start({ sealing })
  const [dead, live] = [
    await createCredential(server, "dead", { allowed_user_ids: null }),
    await createCredential(server, "live", { allowed_user_ids: null })
  ]
  server.upstreams.first.script(fault.status(403))
  await server.ask(onlyFirst)
  const { ordered } = await server.instance.explain(onlyFirst)
  expect(ordered.map(({ credential, demoted }) => [credential, demoted?.[0]?.rule])).toEqual([
    [live, undefined],
    [dead, "refused"],
    [undefined, undefined]
  ])
})

test("a dry run and a request agree on credentials with an unknown price that counts towards a budget", async () => {
  await using server = await TestServer.start({ sealing, prices: { first: {} } })
  await createCredential(server, "one", { allowed_user_ids: null })
  const planAndAsk = async () => {
    const { ordered, rejected } = await server.instance.explain(onlyFirst)
    const { status } = await server.ask(onlyFirst)
    return {
      planned: ordered.map(({ credential }) => credential !== undefined),
      rejected: rejected.flatMap(({ reasons: [reason] }) =>
        reason === undefined || reason.rule === "only" ? [] : reason.rule
      ),
      status
    }
  }
  expect(await planAndAsk()).toEqual({ planned: [true, false], rejected: [], status: 200 })
  const budget = (include_byok_in_budgets: boolean) =>
    manage(server, "PUT", "workspaces/default/budgets/daily", {
      limit_usd: 5,
      include_byok_in_budgets
    })
  await budget(false)
  expect(await planAndAsk()).toMatchObject({
    planned: [true],
    rejected: ["unknown_price"],
    status: 200
  })
  await budget(true)
  const unknown = { rejected: ["unknown_price", "unknown_price"] }
  expect(await planAndAsk()).toEqual({ planned: [], ...unknown, status: 404 })
})
