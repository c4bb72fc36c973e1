/** Escalation over HTTP: labels teach an instance which answers of a small model are sure enough. */
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DecisionCall, Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { sqlite } from "@signalbox/sql"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { keys } from "../support/TestServer.ts"

/**
 * The small model knows even numbers and is unsure of odd ones; half of those it gets wrong. The large one knows all.
 */
const makeProvider = (slug: string, calls: Array<string>): Upstream => ({
  slug,
  name: slug,
  decisions: {
    decide: ({ questions, state }: DecisionCall) => {
      calls.push(`${slug}: ${Object.keys(questions).join(", ")}`)
      const number = Number(state)
      const isLarge = slug === "large"
      const isSure = isLarge || number % 2 === 0
      const isRight = isSure || number % 4 === 1
      const yes = isRight === isPositive(number) ? (isSure ? 0.97 : 0.6) : 1 - (isSure ? 0.97 : 0.6)
      return Effect.succeed({
        verdicts: new Map(
          Object.keys(questions).map((name) => [name, { weights: [yes, 1 - yes] }])
        ),
        usage: { inputTokens: 10, outputTokens: 0 },
        method: "native"
      })
    },
    estimateWorstCase: () => ({ inputTokens: 10, outputTokens: 0 })
  }
})
const isPositive = (number: number): boolean => number % 3 !== 0

const start = async (path = ":memory:") => {
  const calls: Array<string> = []
  const instance = await Signalbox.make({
    stores: sqlite({ path, batchIntervalMillis: 0 }),
    upstreams: ["small", "large"].map((slug) => makeProvider(slug, calls)),
    models: [
      { id: "proof/small", endpoints: [{ provider: "small", price: { prompt: "0.000001" } }] },
      { id: "proof/large", endpoints: [{ provider: "large", price: { prompt: "0.00001" } }] }
    ],
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" }
    ]
  })
  const ask = async (method: string, path: string, key: string, body?: unknown) => {
    const response = await instance.fetch(
      new Request(`http://signalbox.invalid/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "x-signalbox-metadata": "enabled"
        },
        ...(body === undefined ? undefined : { body: JSON.stringify(body) })
      })
    )
    return { status: response.status, body: await response.json() }
  }
  const decide = (number: number, changes: object = {}) =>
    ask("POST", "/alpha/decisions", keys.member, {
      model: "proof/small",
      state: String(number),
      questions: { positive: { type: "noul", instructions: "Is it no multiple of three?" } },
      escalate: { to: "proof/large", target: { relative_accuracy: 0.98 } },
      ...changes
    })
  return { ask, calls, decide, close: () => instance.close() }
}

const getEscalation = (body: unknown) =>
  getProperty(getProperty(body, "service_metadata"), "escalation")

describe("escalation with a target", () => {
  test("asks everything again until labels show what the small model knows", async () => {
    const path = join(await mkdtemp(join(tmpdir(), "escalation-")), "signalbox.db")
    const { ask, calls, close, decide } = await start(path)
    const first = await decide(1)
    expect(getEscalation(first.body)).toEqual({
      to: "proof/large",
      threshold: null,
      questions: { positive: true },
      reason: "too_few_labels"
    })
    for (let number = 0; number < 200; number++) {
      const { body } = await decide(number)
      const labeled = await ask("POST", "/v1/signalbox/calibration/samples", keys.member, {
        generation_id: getProperty(body, "id"),
        labels: { positive: isPositive(number) }
      })
      expect(labeled).toMatchObject({ status: 200, body: { data: { labeled: 2 } } })
    }
    const report = await ask(
      "GET",
      "/v1/signalbox/escalation?from=proof/small&to=proof/large&kind=noul",
      keys.management
    )
    expect(report.body).toMatchObject({
      data: [
        {
          kind: "noul",
          pairs: 200,
          first: { share: expect.any(Number) },
          other: { share: 1 },
          targets: [
            { relative_accuracy: 0.99, reason: null },
            { relative_accuracy: 0.98, reason: null, share: expect.any(Number) },
            {},
            {}
          ]
        }
      ]
    })
    await close()
    expect(calls.filter((call) => call.startsWith("large"))).toHaveLength(201)

    // A process that has read no labels yet.
    const second = await start(path)
    expect(getEscalation((await second.decide(1_002)).body)).toMatchObject({
      questions: {},
      threshold: expect.any(Number)
    })
    expect(getEscalation((await second.decide(1_003)).body)).toMatchObject({
      questions: { positive: true }
    })
    await second.close()
  })

  test("refuses what learns from labels without them", async () => {
    const { close, decide } = await start()
    const { body, status } = await decide(1, { calibration: { mode: "off" } })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain("calibration.mode")
    await close()
  })

  test("reads the conditions of another gateway", async () => {
    const { calls, close, decide } = await start()
    const changes = {
      escalate: undefined,
      models: [{ model: "proof/large", when: { probabilityBetween: [0.2, 0.8] } }]
    }
    expect(getEscalation((await decide(2, changes)).body)).toEqual({
      to: "proof/large",
      questions: {}
    })
    expect(getEscalation((await decide(1, changes)).body)).toEqual({
      to: "proof/large",
      questions: { positive: true }
    })
    expect(calls).toEqual(["small: positive", "small: positive", "large: positive"])
    await close()
  })
})
