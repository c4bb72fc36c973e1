import { assert, describe, it } from "vitest"
import type { Generation } from "../../../src/engine/observability/generations/Generation.ts"
import { GenerationId } from "../../../src/values/ids/GenerationId.ts"
import { defaultAccountId, defaultWorkspaceId } from "../../../src/values/ids/Ids.ts"
import { parseRecordedRequest } from "../../../src/domains/simulator/recording/RecordedRequest.ts"
import { makeRecordedAnswers } from "../../../src/domains/simulator/recording/RecordedAnswers.ts"
import { toRecordedRequest } from "../../../src/domains/simulator/recording/makeRecordingReader.ts"
import { recorded } from "./traffic.ts"

describe("recorded answers", () => {
  const call = { endpoint: "a/b@cheap", at: 0, inFlight: 0, index: 0, random: () => 0 }

  it("take longer for more tokens, from the first event on", () => {
    const { answer } = makeRecordedAnswers([recorded({ at: 0 })], 1_000)
    const request = { ...recorded({ at: 0 }), completion_tokens: 1_000 }
    assert.deepStrictEqual(answer({ ...call, request }), {
      status: 200,
      firstMillis: 100,
      wholeMillis: 100 + 10 * 900
    })
  })

  it("are drawn from the 24 nearest ones within the window, else from the nearest ones", () => {
    const recording = Array.from({ length: 100 }, (_, at) => recorded({ at, first: at }))
    const { answer, unrecordedCalls } = makeRecordedAnswers(recording, 50)
    const drawAt = (at: number): ReadonlyArray<number | undefined> =>
      [0, 0.999_999].map(
        (drawn) =>
          answer({ ...call, at, random: () => drawn, request: recorded({ at }) }).firstMillis
      )
    assert.deepStrictEqual(drawAt(50), [38, 61])
    assert.deepStrictEqual(drawAt(140), [90, 99])
    assert.strictEqual(unrecordedCalls.size, 0)
    assert.deepStrictEqual(drawAt(10_000), [76, 99])
    assert.strictEqual(unrecordedCalls.get("a/b@cheap"), 2)
  })
})

it("an attempt that lost to a second one took at least as long as it was waited for", () => {
  const request = recorded({ at: 0, status: 499, first: 700 })
  const lost = { ...request, attempts: request.attempts.map((one) => ({ ...one, kind: "lost" })) }
  const call = {
    endpoint: "a/b@cheap",
    at: 0,
    inFlight: 0,
    index: 0,
    random: () => 0,
    request: lost
  }
  const { answer, endpoints } = makeRecordedAnswers([lost], 1_000)
  assert.deepStrictEqual(answer(call), { status: 200, firstMillis: 700, wholeMillis: 700 })
  assert.deepStrictEqual(Array.from(endpoints), ["a/b@cheap"])
  // The record of a caller who left tells nothing about the endpoint.
  assert.deepStrictEqual(Array.from(makeRecordedAnswers([request], 1_000).endpoints), [])
})

describe("a recorded request", () => {
  const generation: Generation = {
    id: GenerationId.make("gen-1"),
    account: defaultAccountId,
    workspace: defaultWorkspaceId,
    operation: "chat",
    configuration: 1,
    startedAt: 1_000,
    latencyMillis: 900,
    requestedModel: "~a/b-latest",
    model: "a/b-2030-01-01",
    provider: "Fast",
    usage: { inputTokens: 7, outputTokens: 9 },
    attempts: [
      { endpoint: "a/b@down", provider: "Down", outcome: "unreachable", latencyMillis: 20 },
      {
        endpoint: "a/b@busy",
        provider: "Busy",
        outcome: "rate_limited",
        status: 429,
        latencyMillis: 5
      },
      {
        endpoint: "a/b@fast",
        provider: "Fast",
        outcome: "served",
        latencyMillis: 800,
        firstEventMillis: 90
      }
    ],
    rejected: [],
    demoted: [],
    user: "somebody",
    session: "a session"
  }

  it("keeps times, lengths and outcomes of a generation, and nothing of its caller", () => {
    assert.deepStrictEqual(toRecordedRequest(generation), {
      at: 1_000,
      model: "a/b",
      prompt_tokens: 7,
      completion_tokens: 9,
      attempts: [
        { endpoint: "a/b@down", at: 1_000, status: 0, kind: "unreachable", whole_ms: 20 },
        { endpoint: "a/b@busy", at: 1_020, status: 429, kind: "rate_limited", whole_ms: 5 },
        { endpoint: "a/b@fast", at: 1_025, status: 200, first_ms: 90, whole_ms: 800 }
      ]
    })
  })

  it("begins when its endpoint had room and it had its connection", () => {
    const attempts = generation.attempts.map((each, at) => ({
      ...each,
      queuedMillis: 100,
      ...(at === 1 ? { queueMillis: 3_000 } : undefined)
    }))
    assert.deepStrictEqual(
      toRecordedRequest({ ...generation, attempts })?.attempts.map(({ at }) => at),
      [1_100, 4_220, 4_325]
    )
  })

  it("begins when it had its connection", () => {
    const attempts = generation.attempts.map((each) => ({ ...each, queuedMillis: 100 }))
    assert.deepStrictEqual(
      toRecordedRequest({ ...generation, attempts })?.attempts.map(({ at }) => at),
      [1_100, 1_220, 1_325]
    )
  })

  it.each([
    ["wins", { lost: false, first: 700, second: { latencyMillis: 1_200, firstEventMillis: 200 } }],
    ["loses", { lost: true, first: 900, second: { latencyMillis: 400 } }]
  ])("knows when a second attempt began that %s", (_, { first, lost, second }) => {
    const provider = "One"
    const slow = { endpoint: "a/b@slow", provider, latencyMillis: lost ? 3_000 : first }
    const attempts = [
      {
        ...slow,
        ...(lost
          ? { outcome: "served", firstEventMillis: first }
          : { outcome: "lost", lost: true as const })
      },
      {
        endpoint: "a/b@quick",
        provider,
        hedge: true as const,
        ...second,
        ...(lost ? { outcome: "lost", lost: true as const } : { outcome: "served" })
      }
    ]
    // However they are listed, it began 500 ms after the first one.
    for (const listed of [attempts, attempts.toReversed()]) {
      const recorded = toRecordedRequest({ ...generation, attempts: listed })
      assert.deepStrictEqual(
        recorded?.attempts.map(({ at, endpoint, kind, status }) => [endpoint, at, status, kind]),
        [
          ["a/b@slow", 1_000, lost ? 200 : 499, lost ? undefined : "lost"],
          ["a/b@quick", 1_500, lost ? 499 : 200, lost ? "lost" : undefined]
        ]
      )
    }
  })

  it("is not made of what no simulation replays", () => {
    const [first] = generation.attempts
    assert.isUndefined(toRecordedRequest({ ...generation, operation: "videos" }))
    assert.isUndefined(toRecordedRequest({ ...generation, attempts: [] }))
    assert.isUndefined(
      toRecordedRequest({ ...generation, attempts: [{ ...first!, isByok: true }] })
    )
  })

  it("is read from a line of JSON, which says what is wrong with it", () => {
    const line = JSON.stringify(recorded({ at: 5 }))
    assert.deepStrictEqual(parseRecordedRequest(line), recorded({ at: 5 }))
    const { model: _, ...unnamed } = recorded({ at: 5 })
    assert.deepStrictEqual(
      parseRecordedRequest(JSON.stringify(unnamed), "a/b"),
      recorded({ at: 5 })
    )
    assert.throws(() => parseRecordedRequest("at,prompt"), /^no JSON/)
    assert.throws(() => parseRecordedRequest(JSON.stringify(unnamed)), /^model: /)
    assert.throws(
      () => parseRecordedRequest(line.replace('"whole_ms":1000', '"whole_ms":"1 s"')),
      /^attempts\.0\.whole_ms: /
    )
  })
})
