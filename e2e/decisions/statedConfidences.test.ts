/** Escalation between models that state their probabilities in steps of 0.05, over HTTP, on every store. */
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Options } from "@signalbox/core"
import type { DecisionCall, Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { postgres, sqlite } from "@signalbox/sql"
import * as Effect from "effect/Effect"
import * as Hash from "effect/Hash"
import { describe, expect, inject, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { keys } from "../support/TestServer.ts"
import { waitUntil } from "../support/waitUntil.ts"

/** From 0 to 1, the same for the same words. */
const hashUnit = (...words: ReadonlyArray<string>): number =>
  (Hash.string(words.join(" ") + words.toReversed().join("-")) >>> 0) / 2 ** 32

const options = ["billing", "technical", "other"]
const isYes = (state: string, name: string) => hashUnit("truth", state, name) < 0.5
const findTeam = (state: string, name: string) =>
  options[Math.floor(hashUnit("team", state, name) * options.length)]!

/** States one of twenty numbers for the option that it holds to be right, and is right a little less often than that. */
const state = (slug: string, asked: string, name: string, right: number, count: number) => {
  if (slug === "large") return Array.from({ length: count }, (_, at) => (at === right ? 1 : 0))
  const least = count === 2 ? 0.5 : 0.4
  const steps = Math.round((1 - least) / 0.05)
  const stated = least + 0.05 * Math.floor(hashUnit("sure", asked, name) * (steps + 1))
  const isRight = hashUnit("right", asked, name) < 0.9 * stated + 0.05
  const mode = isRight ? right : (right + 1) % count
  return Array.from({ length: count }, (_, at) =>
    at === mode ? stated : (1 - stated) / (count - 1)
  )
}

/** Providers report dated names. */
const makeProvider = (slug: string): Upstream => ({
  slug,
  name: slug,
  decisions: {
    decide: ({ questions, state: given }: DecisionCall) =>
      Effect.succeed({
        verdicts: new Map(
          Object.entries(questions).map(([name, { type }]) => {
            const asked = String(given)
            const right =
              type === "noul"
                ? isYes(asked, name)
                  ? 0
                  : 1
                : options.indexOf(findTeam(asked, name))
            return [name, { weights: state(slug, asked, name, right, type === "noul" ? 2 : 3) }]
          })
        ),
        usage: { inputTokens: 10, outputTokens: 0 },
        model: `${slug}-2026-08-07`,
        method: "stated"
      }),
    estimateWorstCase: () => ({ inputTokens: 10, outputTokens: 0 })
  }
})

const kinds = {
  noul: { type: "noul", instructions: "Is it urgent?" },
  choice: {
    type: "choice",
    instructions: "Which team?",
    criteria: Object.fromEntries(options.map((option) => [option, null]))
  }
} as const
type Kind = keyof typeof kinds

const names = Array.from({ length: 60 }, (_, at) => `q${at}`)

const start = async (stores?: Options["stores"]) => {
  const instance = await Signalbox.make({
    ...(stores === undefined ? undefined : { stores }),
    upstreams: ["small", "large"].map(makeProvider),
    models: ["small", "large"].map((provider) => ({
      id: `proof/${provider}`,
      endpoints: [{ provider, price: { prompt: "0.000001" } }]
    })),
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
  const decide = async (kind: Kind, state: string, target = 0.95) => {
    const { body, status } = await ask("POST", "/alpha/decisions", keys.member, {
      model: "proof/small",
      state,
      questions: Object.fromEntries(names.map((name) => [name, kinds[kind]])),
      escalate: { to: "proof/large", target: { relative_accuracy: target } }
    })
    expect(status).toBe(200)
    const escalation = getProperty(getProperty(body, "service_metadata"), "escalation")
    return { body, escalation, answers: getProperty(body, "answers") }
  }
  const teach = async (kind: Kind, states: number) => {
    const asked = []
    for (let at = 0; at < states; at++) {
      const { body } = await decide(kind, `lesson ${at}`)
      asked.push(getProperty(body, "id"))
    }
    for (const [at, id] of asked.entries()) {
      const state = `lesson ${at}`
      const labels = Object.fromEntries(
        names.map((name) => [name, kind === "noul" ? isYes(state, name) : findTeam(state, name)])
      )
      const { status } = await ask("POST", "/v1/signalbox/calibration/samples", keys.member, {
        generation_id: id,
        labels
      })
      expect(status).toBe(200)
    }
  }
  const refit = () => ask("POST", "/v1/signalbox/calibration", keys.management)
  /** The accuracy of what is served, and the share of the questions that were asked again. */
  const measure = async (kind: Kind, states: number, target: number) => {
    let right = 0
    let again = 0
    for (let at = 0; at < states; at++) {
      const state = `later ${at}`
      const { answers, escalation } = await decide(kind, state, target)
      again += Object.keys(Object(getProperty(escalation, "questions"))).length
      for (const name of names) {
        const answer = getProperty(answers, name)
        const isRight =
          kind === "noul"
            ? Number(getProperty(answer, "noul")) > 0.5 === isYes(state, name)
            : getProperty(answer, "choice") === findTeam(state, name)
        if (isRight) right += 1
      }
    }
    const all = states * names.length
    return { accuracy: right / all, share: again / all }
  }
  return { ask, decide, teach, refit, measure, close: () => instance.close() }
}

const stores: Readonly<Record<string, () => Promise<Options["stores"]>>> = {
  memory: async () => undefined,
  SQLite: async () =>
    sqlite({
      path: join(await mkdtemp(join(tmpdir(), "stated-")), "signalbox.db"),
      batchIntervalMillis: 0
    }),
  Postgres: async () =>
    postgres({
      url: inject("postgresUrl"),
      schema: `stated-${crypto.randomUUID()}`,
      batchIntervalMillis: 0
    })
}

describe("confidences in steps of 0.05", () => {
  for (const [store, open] of Object.entries(stores)) {
    test.for(["noul", "choice"] as const)(
      `hold a stated accuracy of %s questions, on ${store}`,
      { timeout: 900_000 },
      async (kind) => {
        const instance = await start(await open())
        await instance.teach(kind, 20)
        expect((await instance.refit()).status).toBe(200)
        for (const target of [0.9, 0.95]) {
          const { accuracy, share } = await instance.measure(kind, 20, target)
          expect(accuracy).toBeGreaterThanOrEqual(target - 0.02)
          expect(accuracy).toBeLessThan(target + 0.04)
          expect(share).toBeGreaterThan(0.1)
          expect(share).toBeLessThan(0.9)
        }
        // The names of the guide, although providers report dated ones.
        const { body } = await instance.ask(
          "GET",
          `/v1/signalbox/escalation?from=proof/small&to=proof/large&kind=${kind}`,
          keys.management
        )
        expect(body).toMatchObject({ data: [{ pairs: 1_200 }] })
        const dated = await instance.ask(
          "GET",
          `/v1/signalbox/escalation?from=small-2026-08-07&to=proof/large&kind=${kind}`,
          keys.management
        )
        expect(dated.body).toEqual(body)
        await instance.close()
      }
    )
  }

  test("a refit counts for the next Decision, also after earlier questions", async () => {
    const instance = await start()
    expect((await instance.decide("noul", "before")).escalation).toMatchObject({
      reason: "too_few_labels"
    })
    await instance.teach("noul", 5)
    await instance.refit()
    const { escalation } = await instance.decide("noul", "after")
    expect(escalation).toMatchObject({ threshold: expect.any(Number) })
    expect(escalation).not.toHaveProperty("reason")
    await instance.close()
  })

  test("a refit counts in other processes on the same Postgres", { timeout: 900_000 }, async () => {
    const url = inject("postgresUrl")
    const schema = `stated-${crypto.randomUUID()}`
    const open = () => start(postgres({ url, schema, batchIntervalMillis: 0 }))
    const [one, other] = [await open(), await open()]
    expect((await other.decide("noul", "before")).escalation).toMatchObject({
      reason: "too_few_labels"
    })
    await one.teach("noul", 5)
    await one.refit()
    await waitUntil(async () => {
      const { escalation } = await other.decide("noul", "after")
      return getProperty(escalation, "threshold") !== null
    }, "the refit did not arrive")
    await one.close()
    await other.close()
  })
})
