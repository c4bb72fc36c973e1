/** Calibration over HTTP and in process, on one instance. */
import type { DecisionReply, Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { Signalbox } from "../src/index.ts"

/** Too sure of the label `b`. */
const upstream: Upstream = {
  slug: "one",
  name: "One",
  decisions: {
    decide: ({ questions }) =>
      Effect.succeed<DecisionReply>({
        verdicts: new Map(
          Object.entries(questions).map(([name, { type }]) => [
            name,
            { weights: type === "noul" ? [0.97, 0.03] : [0.02, 0.96, 0.02] }
          ])
        ),
        usage: { inputTokens: 1, outputTokens: 1 },
        method: "logprobs",
        model: "a/b-2026"
      }),
    estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
  }
}

const keys = {
  member: { key: "sk-test-member", kind: "member", user: "ann" },
  other: { key: "sk-test-other", kind: "member", user: "bob", account: "other" },
  management: { key: "sk-test-management", kind: "management" }
} as const

let signalbox: Signalbox

beforeAll(async () => {
  signalbox = await Signalbox.make({
    upstreams: [upstream],
    models: [{ id: "a/b", endpoints: [{ provider: "one", price: {}, contextLength: 1_000 }] }],
    keys: Object.values(keys)
  })
})
afterAll(() => signalbox.close())

const send = async (
  method: string,
  path: string,
  { body, key = keys.member.key }: { readonly body?: string; readonly key?: string } = {}
) => {
  const response = await signalbox.fetch(
    new Request(`http://localhost/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "x-signalbox-metadata": "enabled"
      },
      ...(body === undefined ? undefined : { body })
    })
  )
  return { status: response.status, json: JSON.parse(await response.text()) }
}

// Written by hand: an object literal with `__proto__` would set the prototype.
const questions = `{
  "__proto__": {"type": "choice", "instructions": "Which?", "criteria": {"a": null, "__proto__": null, "c": null}},
  "spam": {"type": "noul", "instructions": "Spam?"}
}`
const ask = (calibration: string, key: string = keys.member.key) =>
  send("POST", "/alpha/decisions", {
    key,
    body: `{"model": "a/b", "state": "x", "questions": ${questions}${calibration}}`
  })
const auto = `, "calibration": {"mode": "auto", "coverage": 0.8}`
const samples = "/v1/signalbox/calibration/samples"

it("learns from labels over HTTP and says what it did", async () => {
  const plain = await ask("")
  expect(plain.status).toBe(200)
  expect(plain.json.service_metadata).not.toHaveProperty("calibration")
  expect(plain.json.answers.spam).toEqual({ type: "noul", noul: 0.97 })
  const rejected = await send("POST", samples, {
    body: JSON.stringify({ generation_id: plain.json.id, labels: { spam: true } })
  })
  expect(rejected).toMatchObject({ status: 400, json: { error: { code: 400 } } })

  for (let at = 0; at < 40; at++) {
    const { json } = await ask(auto)
    const isRight = at % 10 < 6
    const label = isRight ? "__proto__" : "a"
    const labeled = await send("POST", samples, {
      body: `{"generation_id": "${json.id}", "labels": {"__proto__": "${label}", "spam": ${isRight}}}`
    })
    expect(labeled).toEqual({
      status: 200,
      json: { data: { generation_id: json.id, labeled: 2 } }
    })
  }
  const refitted = await send("POST", "/v1/signalbox/calibration", { key: keys.management.key })
  expect(refitted.status).toBe(200)

  const { json } = await ask(auto)
  expect(json.answers.spam.noul).toBeGreaterThan(0.5)
  expect(json.answers.spam.noul).toBeLessThan(0.75)
  const choice = Object.getOwnPropertyDescriptor(json.answers, "__proto__")?.value
  expect(choice.choice).toBe("__proto__")
  expect(Object.keys(choice.probabilities)).toEqual(["a", "__proto__", "c"])
  expect(choice.prediction_set).toContain("__proto__")
  const { calibration } = json.service_metadata
  expect(calibration.questions.spam).toEqual({
    map: "platt",
    samples: 40,
    scope: "kind",
    key: expect.stringMatching(/^[0-9a-f]{16}$/)
  })
  expect(Object.keys(calibration.questions)).toContain("__proto__")

  const other = await ask(auto, keys.other.key)
  expect(other.json.answers.spam.noul).toBe(0.97)
  expect(other.json.service_metadata.calibration.questions.spam).toMatchObject({
    map: "none",
    samples: 0,
    scope: null
  })
})

it("says what is wrong with a label", async () => {
  const { json } = await ask(auto)
  const label = (labels: object, changes: object = {}, key: string = keys.member.key) =>
    send("POST", samples, {
      key,
      body: JSON.stringify({ generation_id: json.id, labels, ...changes })
    })
  expect((await label({ spam: "yes" })).json.error.message).toContain("true or false")
  for (const refused of [
    await label({}),
    await label({ spam: "yes" }),
    await label({ spam: true }, { weight: 0.5 }),
    await label({ spam: true }, { weight: "1" })
  ]) {
    expect(refused.status).toBe(400)
  }
  expect((await label({ spam: true }, { generation_id: "gen-dec-none" })).status).toBe(404)
  expect((await label({ spam: true }, {}, keys.other.key)).status).toBe(404)
  expect((await label({ spam: true }, { weight: 4 }, keys.management.key)).status).toBe(200)
  for (const method of ["GET", "POST", "DELETE"]) {
    expect((await send(method, "/v1/signalbox/calibration")).status).toBe(403)
  }
  expect((await ask(`, "calibration": {"mode": "auto", "coverage": 1}`)).status).toBe(400)
  expect((await ask(`, "calibration": {"mode": "always"}`)).status).toBe(400)
})

it("reports, and forgets, in process as over HTTP", async () => {
  const { json } = await send("GET", "/v1/signalbox/calibration?kind=noul", {
    key: keys.management.key
  })
  const { data } = await signalbox.calibration({ kind: "noul" })
  expect(json.data).toEqual(data)
  expect(data.maps).toHaveLength(1)
  const [map] = data.maps
  expect(map).toMatchObject({
    model: "a/b-2026",
    method: "logprobs",
    kind: "noul",
    question: null,
    map: "platt"
  })
  expect(map?.parameters).toHaveProperty("slope")
  expect(map?.before.ece).toBeGreaterThan(0.3)
  expect(map?.after.ece).toBeLessThan(map!.before.ece)
  expect(map?.after.nll).toBeLessThan(map!.before.nll)
  expect(map?.before.bins).toHaveLength(15)
  expect(map?.recent.samples).toBe(map?.samples)

  const { answers, id } = await signalbox.decide({
    model: "a/b",
    state: "x",
    questions: { spam: { type: "noul", instructions: "Spam?" } },
    calibration: { mode: "auto", coverage: 0.9 }
  })
  expect(answers.spam.noul).toBeLessThan(0.75)
  expect(answers.spam.prediction_set).toContain(true)
  const labeled = await signalbox.label({ generation_id: id!, labels: { spam: true }, weight: 50 })
  expect(labeled.data.labeled).toBe(1)
  await signalbox.calibration.refit()

  const deleted = await send("DELETE", "/v1/signalbox/calibration?kind=noul", {
    key: keys.management.key
  })
  expect(deleted.json.data.deleted).toBeGreaterThan(40)
  expect((await signalbox.calibration({ kind: "noul" })).data.maps).toEqual([])
  expect((await signalbox.calibration()).data.maps).not.toEqual([])
  await signalbox.calibration.forget()
  expect((await signalbox.calibration()).data.maps).toEqual([])
  expect((await ask(auto)).json.answers.spam.noul).toBe(0.97)
})
