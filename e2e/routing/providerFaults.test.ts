import type { SettingsShape } from "@signalbox/core"
import type { RecordedRequest } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { pickSample } from "../../vitest.scope.ts"
import {
  responseBodyLimit,
  contentFaults,
  type Fault,
  faultGroups,
  timeoutFaults,
  stallFaults,
  httpFaults
} from "./providerFaults.ts"
import { getProperty } from "../support/getProperty.ts"
import {
  toProviderName,
  makeDecisionRequest,
  type Slug,
  slugs,
  TestServer,
  toUpstreamKey
} from "../support/TestServer.ts"
import { type DecisionMethod, decisionMethods } from "../support/decisionMethods.ts"

/** The fields that a request to a provider may contain. */
const nativeFields = ["model", "questions", "state"]
const chatFields = [
  "logprobs",
  "max_tokens",
  "messages",
  "model",
  "response_format",
  "stream",
  "temperature",
  "top_logprobs"
]

const expectOwnRequest = (method: DecisionMethod, slug: Slug, seen: RecordedRequest): void => {
  expect(seen).toMatchObject({ method: "POST", path: method.path })
  expect(seen.headers["authorization"]).toBe(`Bearer ${toUpstreamKey(slug)}`)
  if (seen.raw === "") return
  expect(seen.model).toBe("proof/model")
  const known = method.name === "native" ? nativeFields : chatFields
  expect(Object.keys(Object(seen.body)).filter((key) => !known.includes(key))).toEqual([])
}

const expectOwnRequests = (method: DecisionMethod, { upstreams }: TestServer): void => {
  for (const slug of slugs) {
    for (const seen of upstreams[slug].requests) expectOwnRequest(method, slug, seen)
  }
}

/** Logprobs need one call per question, the other methods one call in total. */
const countHealthyCalls = ({ name }: DecisionMethod): number => (name === "logprobs" ? 3 : 1)
/** Falling back to the next method takes one more call. */
const countMaxCalls = ({ name }: DecisionMethod): number => (name === "logprobs" ? 4 : 1)

interface FaultCase {
  readonly fault: Fault
  readonly method: DecisionMethod
  readonly settings: Partial<SettingsShape>
}

const toOutcome = ({ fault, method }: FaultCase) =>
  typeof fault.outcome === "function" ? fault.outcome(method) : fault.outcome

const runAlone = async ({ fault, settings, method }: FaultCase) => {
  await using server = await TestServer.start({ settings, method })
  server.upstreams.first.always(fault.step(server))
  const answer = await server.ask(makeDecisionRequest({ provider: { only: ["first"] } }))
  expect(server.calls.first).toBeLessThanOrEqual(countMaxCalls(method))
  expect(server.calls.second).toBe(0)
  expect(server.upstreams.first.connections).toBeGreaterThan(0)
  expectOwnRequests(method, server)
  expect(server.logs).toEqual([])
  return answer.status
}

const runWithHealthySecond = async (trial: FaultCase) => {
  const { fault, settings, method } = trial
  await using server = await TestServer.start({ settings, method })
  server.upstreams.first.always(fault.step(server))
  const answer = await server.ask()
  expect(server.calls.first).toBeLessThanOrEqual(countMaxCalls(method))
  expectOwnRequests(method, server)
  const { triesNext } = toOutcome(trial)
  expect(server.calls.second).toBe(triesNext ? countHealthyCalls(method) : 0)
  if (answer.status === 200) {
    expect(getProperty(answer.body, "provider")).toBe(
      toProviderName(triesNext ? "second" : "first")
    )
    const outcomes = (await server.generation(getProperty(answer.body, "id")))?.attempts.map(
      ({ outcome }) => outcome === "served"
    )
    expect(outcomes).toEqual(triesNext ? [false, true] : [true])
  }
  return answer.status
}

const runWithAllFaulty = async (trial: FaultCase) => {
  const { fault, settings, method } = trial
  await using server = await TestServer.start({ settings, method })
  for (const slug of slugs) server.upstreams[slug].always(fault.step(server))
  const answer = await server.ask()
  const { triesNext } = toOutcome(trial)
  if (!triesNext) expect(server.calls.second).toBe(0)
  expect(server.calls.second).toBeLessThanOrEqual(countMaxCalls(method))
  expectOwnRequests(method, server)
  return answer.status
}

/** The statuses with only this provider, with a healthy second one, and with the same fault at both. */
const runFault = (trial: FaultCase) =>
  Promise.all([runAlone(trial), runWithHealthySecond(trial), runWithAllFaulty(trial)])

const toExpected = (trial: FaultCase) => {
  const { all, alone: single, triesNext } = toOutcome(trial)
  return [single, triesNext ? 200 : single, all]
}

// Some faults last for a timeout in real time, so all run concurrently.
const runFaults = (trials: ReadonlyArray<FaultCase>) => Promise.all(trials.map(runFault))

const toFaultCases = (
  several: ReadonlyArray<Fault>,
  settings: Partial<SettingsShape>
): ReadonlyArray<FaultCase> =>
  pickSample(decisionMethods, 2).flatMap((method) =>
    several.map((fault) => ({ fault, method, settings }))
  )

test("a silent provider fails at the headers timeout", async () => {
  const trials = toFaultCases(timeoutFaults, { headersTimeoutMillis: 5_000 })
  expect(await runFaults(trials)).toEqual(trials.map(toExpected))
})

test("a provider that stalls during its answer fails in time for a fallback", async () => {
  const trials = toFaultCases(stallFaults, { bodyTimeoutMillis: 3_000 })
  expect(await runFaults(trials)).toEqual(trials.map(toExpected))
})

const settings = { maxUpstreamBodyBytes: responseBodyLimit }

describe.each(pickSample(decisionMethods, 2))("content faults with the method $name", (method) => {
  test.each(contentFaults)("$name", async (fault) => {
    const trial = { fault, method, settings }
    expect(await runFault(trial)).toEqual(toExpected(trial))
  })
})

describe.each(decisionMethods.slice(0, 2))("HTTP faults with the method $name", (method) => {
  test.each(pickSample(httpFaults, 30))("$name", async (fault) => {
    const trial = { fault, method, settings }
    expect(await runFault(trial)).toEqual(toExpected(trial))
  })
})

const faultPairs = faultGroups
  .filter(({ outcome }) => outcome.triesNext)
  .flatMap((first) => faultGroups.map((second) => ({ first, second })))

test.each(pickSample(faultPairs, 30))(
  "$first.name, then $second.name",
  async ({ first, second }) => {
    await using server = await TestServer.start()
    server.upstreams.first.always(first.step)
    server.upstreams.second.always(second.step)
    const { status } = await server.ask()
    const mixed = first.isTransient && second.isTransient ? 503 : 502
    expect(status).toBe(first === second || !second.outcome.triesNext ? second.outcome.all : mixed)
    expect(server.calls).toEqual({ first: 1, second: 1 })
  }
)
