import { describe, expect, test } from "vitest"
import { pickSample } from "../../vitest.scope.ts"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { testClientDisconnect } from "../support/testClientDisconnect.ts"
import { toExpectedFailure } from "./toExpectedFailure.ts"
import { getProperty } from "../support/getProperty.ts"
import { type FailoverScenario, timeoutScenarios, failoverScenarios } from "./failoverScenarios.ts"
import { cachingAll, questions, makeDecisionRequest, TestServer } from "../support/TestServer.ts"
import { type DecisionMethod, decisionMethods } from "../support/decisionMethods.ts"

interface FailoverCase {
  readonly scenario: FailoverScenario
  readonly method: DecisionMethod
  /** Whether there is no healthy provider to fall back to. */
  readonly isAlone: boolean
  /** Whether every request uses the cache of responses. */
  readonly isCached?: boolean
}

/** With one question, every method sends one request, so requests can be counted. */
const makeRequest = (isAlone: boolean) =>
  makeDecisionRequest({
    questions: { urgent: questions.urgent },
    ...(isAlone ? { provider: { only: ["first"] } } : undefined)
  })

/** Runs one request in a scenario and collects everything observable. */
const run = async ({ isAlone, isCached = false, scenario, method }: FailoverCase) => {
  const options = { ...scenario.server, ...(isCached ? cachingAll : undefined), method }
  await using server = await TestServer.start(options)
  const { first } = server.upstreams
  if (scenario.step !== undefined) first.always(scenario.step)
  const answer = await server.ask(makeRequest(isAlone), {
    headers: { "X-OpenRouter-Metadata": "enabled" }
  })
  const isSilent = timeoutScenarios.includes(scenario)
  if (isSilent) await first.waitForAborts(1)
  const { message, metadata } = parseErrorEnvelope(answer)
  const received = getProperty(answer.body, "service_metadata")
  return {
    status: answer.status,
    retryAfter: answer.headers["retry-after"],
    provider: getProperty(answer.body, "provider"),
    message,
    failures: getProperty(metadata, "previous_errors"),
    winner: getProperty(received, "attempt"),
    attempts: getProperty(received, "attempts"),
    recorded: (await server.generation(answer.headers["x-generation-id"]))?.attempts.map(
      ({ outcome, provider }) => [provider, outcome]
    ),
    calls: server.calls,
    logs: server.logs
  }
}

const toExpected = ({
  isAlone,
  scenario,
  method
}: FailoverCase): Awaited<ReturnType<typeof run>> => {
  const { passed, stopped } = toExpectedFailure(scenario, method)
  return isAlone || scenario.isFinal === true ? stopped : passed
}

const variants = [
  ...pickSample(decisionMethods, 2).map((method) => ({
    method,
    isCached: false,
    title: method.name
  })),
  { method: decisionMethods[1]!, isCached: true, title: "logprobs and the cache of responses" }
]

describe.each(variants)("with the method $title", ({ isCached, method }) => {
  const possible = failoverScenarios.filter(
    (scenario) => scenario.methods?.includes(method) ?? true
  )

  test.each(possible)("$name", async (scenario) => {
    for (const isAlone of [false, true]) {
      const trial = { scenario, method, isAlone, isCached }
      expect(await run(trial)).toEqual(toExpected(trial))
    }
  })

  testClientDisconnect({
    open: () => TestServer.start({ method, ...(isCached ? cachingAll : undefined) }),
    request: (server, sending) => server.ask(makeRequest(false), sending)
  })
})

test("4, 5 and 6: a silent provider times out", async () => {
  const trials = [decisionMethods[0]!, decisionMethods[2]!].flatMap((method) =>
    timeoutScenarios.flatMap((scenario) =>
      [true, false].map((isAlone): FailoverCase => ({ scenario, method, isAlone }))
    )
  )
  // The timeouts pass in real time, so all trials run concurrently.
  expect(await Promise.all(trials.map(run))).toEqual(trials.map(toExpected))
})
