/** The failures of failover benchmarks, for speech and transcriptions: the second provider serves, or the caller learns why not. */
import { audioOf, fault, pace, reply, type Step } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import {
  type FailoverScenario,
  failoverScenarios,
  timeoutScenarios
} from "../routing/failoverScenarios.ts"
import { getProperty } from "../support/getProperty.ts"
import { type AudioServerOptions, startAudioServer } from "./startAudioServer.ts"

const operations = ["speak", "transcribe"] as const
type Operation = (typeof operations)[number]

const price = { speak: 0.000_12, transcribe: 0.000_2 }
/** What is charged when the provider does not answer in time: by the header of the recording, whose bytes count too. */
const estimate = { speak: 0.000_12, transcribe: 0.000_200_3 }

/** Refusals, and what speech and transcriptions cannot have in common, have tests of their own. */
const common = failoverScenarios.filter(({ name }) => !/^1[35]\./.test(name))

const start = (
  { server, step }: Pick<FailoverScenario, "server" | "step">,
  settings?: AudioServerOptions["settings"]
) =>
  startAudioServer({
    credits: { default: "1" },
    ...(server?.tls === undefined ? undefined : { tls: server.tls }),
    ...(server?.toFirstUrl === undefined ? undefined : { toFirstUrl: server.toFirstUrl }),
    ...(settings === undefined ? undefined : { settings })
  }).then((server) => {
    if (step !== undefined) server.first.always(step)
    return server
  })

type Server = Awaited<ReturnType<typeof start>>

/** What the caller of a request learns, and what its record says. */
const run = async (server: Server, operation: Operation, changes?: object) => {
  const answer = await server[operation]({ ...changes })
  const record = await server.getRecord(answer.headers["x-generation-id"])
  const data = getProperty(record, "data")
  return {
    status: answer.status,
    error: answer.status === 200 ? undefined : JSON.stringify(answer.body),
    retryAfter: answer.headers["retry-after"],
    provider: getProperty(data, "provider_name"),
    cost: getProperty(data, "total_cost")
  }
}

const onlyFirst = { provider: { only: ["first"] } }

/** `lost`: what an earlier attempt cost. */
const toPassed = (operation: Operation, lost = 0) => ({
  status: 200,
  provider: "second",
  cost: expect.closeTo(price[operation] + lost, 9)
})

const toStopped = (
  { alone, kind, retryAfter }: Pick<FailoverScenario, "alone" | "kind" | "retryAfter">,
  cost = 0
) => ({
  status: alone,
  error: expect.stringContaining(kind),
  retryAfter,
  cost: expect.closeTo(cost, 9)
})

describe.each(operations)("%s", (operation) => {
  test.each(common)("$name", async (scenario) => {
    const server = await start(scenario)
    const isFinal = scenario.isFinal === true
    const stopped = toStopped(scenario)
    expect(await run(server, operation)).toMatchObject(isFinal ? stopped : toPassed(operation))
    expect(await run(server, operation, onlyFirst)).toMatchObject(stopped)
    expect(server.second.requests).toHaveLength(isFinal ? 0 : 1)
  })

  test("15. refusal", async () => {
    const step = fault.status(400, { kind: "content_policy_violation" })
    const server = await start({ step })
    const refused = toStopped({ alone: 400, kind: "content_refused" })
    expect(await run(server, operation)).toMatchObject(refused)
    expect(server.second.requests).toHaveLength(0)
  })

  test("16. a client that leaves ends the call at the provider, without a fallback", async () => {
    const server = await start({})
    server.first.always(pace.hold(server.first.gate()))
    const leaving = new AbortController()
    const left = server[operation]({}, { signal: leaving.signal })
    await server.first.waitForRequests(1)
    leaving.abort()
    await expect(left).rejects.toThrow(/abort/i)
    await server.first.waitForAborts(1)
    expect(server.second.requests).toHaveLength(0)
    expect((await server.instance.health()).endpoints).toEqual({})
  })
})

test.each(failoverScenarios.filter(({ name }) => /^13. answer (?:shorter|without)/.test(name)))(
  "$name, of a transcription",
  async (scenario) => {
    const server = await start(scenario)
    expect(await run(server, "transcribe")).toMatchObject(toPassed("transcribe"))
    expect(await run(server, "transcribe", onlyFirst)).toMatchObject(toStopped(scenario))
  }
)

const audio = reply.audio([audioOf("mp3", "one"), Buffer.from("two")])

test.each([
  ["reset", fault.drop("response_body", audio)],
  ["closed too early", fault.truncated("chunked", audio)],
  ["shorter than declared", fault.truncated()]
])("13. speech whose connection is %s breaks off, and is charged", async (_, step) => {
  const server = await start({ step })
  await expect(server.speak()).rejects.toThrow(/closed|terminated|abort|other side/i)
  expect(server.second.requests).toHaveLength(0)
  await expect.poll(async () => (await server.getCredits()).settled).toBe(120_000n)
})

/** The timeouts pass in real time, so all trials run at once. */
test("4, 5 and 6: a silent provider times out", async () => {
  const deadline = 2_000
  const settings = {
    headersTimeoutMillis: deadline,
    bodyTimeoutMillis: deadline,
    firstEventTimeoutMillis: deadline,
    streamIdleTimeoutMillis: deadline
  }
  const ofStreams: Step = fault.silent("response_headers", audio)
  const trials = operations.flatMap((operation) =>
    timeoutScenarios
      .filter(({ name }) => operation === "transcribe" || !name.includes("middle"))
      .map((scenario) => ({
        ...scenario,
        operation,
        ...(operation === "speak" && scenario.name.includes("after")
          ? { step: ofStreams }
          : undefined)
      }))
  )
  const ran = trials.map(async ({ operation, ...scenario }) => {
    const [served, alone] = await Promise.all([
      // A transcription has twice as long for its headers.
      start(
        scenario,
        operation === "speak" ? settings : { ...settings, headersTimeoutMillis: 1_000 }
      ),
      start(scenario, settings)
    ])
    // The provider may be at work, so that it is paid.
    const lost = estimate[operation]
    expect(
      await Promise.all([run(served, operation), run(alone, operation, onlyFirst)])
    ).toMatchObject([toPassed(operation, lost), toStopped({ alone: 524, kind: "timeout" }, lost)])
  })
  const silent = async () => {
    const server = await start({ step: fault.silent("response_body", audio) }, settings)
    await expect(server.speak()).rejects.toThrow(/closed|terminated|abort|other side/i)
    expect((await server.getCredits()).settled).toBe(120_000n)
  }
  await Promise.all([...ran, silent()])
})
