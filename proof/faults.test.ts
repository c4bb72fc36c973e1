import type { SettingsShape } from "@signalbox/core"
import type { RecordedRequest } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import {
  answerLimit,
  contentFaults,
  type Fault,
  kinds,
  silences,
  stalls,
  wireFaults
} from "./faults.ts"
import { property } from "./property.ts"
import { nameOf, request, type Slug, slugs, Stage, upstreamKeyOf } from "./Stage.ts"
import { type Way, ways } from "./ways.ts"

/** Everything a provider may be told. */
const native = ["model", "questions", "state"]
const chat = [
  "logprobs",
  "max_tokens",
  "messages",
  "model",
  "response_format",
  "temperature",
  "top_logprobs"
]

const expectOwnRequest = (way: Way, slug: Slug, seen: RecordedRequest): void => {
  expect(seen).toMatchObject({ method: "POST", path: way.path })
  expect(seen.headers["authorization"]).toBe(`Bearer ${upstreamKeyOf(slug)}`)
  if (seen.raw === "") return
  expect(seen.model).toBe("proof/model")
  const known = way.name === "native" ? native : chat
  expect(Object.keys(Object(seen.body)).filter((key) => !known.includes(key))).toEqual([])
}

const expectOwnRequests = (way: Way, { upstreams }: Stage): void => {
  for (const slug of slugs) {
    for (const seen of upstreams[slug].requests) expectOwnRequest(way, slug, seen)
  }
}

/** A healthy provider is asked each question by itself, or all of them at once. */
const healthyCalls = ({ name }: Way): number => (name === "logprobs" ? 3 : 1)
/** A step down the ladder is one more call. */
const mostCalls = ({ name }: Way): number => (name === "logprobs" ? 4 : 1)

interface Trial {
  readonly fault: Fault
  readonly way: Way
  readonly settings: Partial<SettingsShape>
}

const outcomeOf = ({ fault, way }: Trial) =>
  typeof fault.outcome === "function" ? fault.outcome(way) : fault.outcome

const alone = async ({ fault, settings, way }: Trial) => {
  await using stage = await Stage.open({ settings, way })
  stage.upstreams.first.always(fault.step(stage))
  const answer = await stage.ask(request({ provider: { only: ["first"] } }))
  expect(stage.calls.first).toBeLessThanOrEqual(mostCalls(way))
  expect(stage.calls.second).toBe(0)
  expect(stage.upstreams.first.connections).toBeGreaterThan(0)
  expectOwnRequests(way, stage)
  expect(stage.logs).toEqual([])
  return answer.status
}

const withHealthySecond = async (trial: Trial) => {
  const { fault, settings, way } = trial
  await using stage = await Stage.open({ settings, way })
  stage.upstreams.first.always(fault.step(stage))
  const answer = await stage.ask()
  expect(stage.calls.first).toBeLessThanOrEqual(mostCalls(way))
  expectOwnRequests(way, stage)
  const { moves } = outcomeOf(trial)
  expect(stage.calls.second).toBe(moves ? healthyCalls(way) : 0)
  if (answer.status === 200) {
    expect(property(answer.body, "provider")).toBe(nameOf(moves ? "second" : "first"))
    const outcomes = (await stage.generation(property(answer.body, "id")))?.attempts.map(
      ({ outcome }) => outcome === "served"
    )
    expect(outcomes).toEqual(moves ? [false, true] : [true])
  }
  return answer.status
}

const everywhere = async (trial: Trial) => {
  const { fault, settings, way } = trial
  await using stage = await Stage.open({ settings, way })
  for (const slug of slugs) stage.upstreams[slug].always(fault.step(stage))
  const answer = await stage.ask()
  const { moves } = outcomeOf(trial)
  if (!moves) expect(stage.calls.second).toBe(0)
  expect(stage.calls.second).toBeLessThanOrEqual(mostCalls(way))
  expectOwnRequests(way, stage)
  return answer.status
}

/** What callers get alone with the provider, with a healthy second one, and where all fail alike. */
const tryOut = (trial: Trial) =>
  Promise.all([alone(trial), withHealthySecond(trial), everywhere(trial)])

const expectedOf = (trial: Trial) => {
  const { all, alone: single, moves } = outcomeOf(trial)
  return [single, moves ? 200 : single, all]
}

// Where real time passes everything waits at once.
const tryOutAll = (trials: ReadonlyArray<Trial>) => Promise.all(trials.map(tryOut))

const trialsOf = (
  several: ReadonlyArray<Fault>,
  settings: Partial<SettingsShape>
): ReadonlyArray<Trial> => ways.flatMap((way) => several.map((fault) => ({ fault, way, settings })))

test("a silent provider is given up at the deadline of its headers", async () => {
  const trials = trialsOf(silences, { headersDeadlineMillis: 1_000 })
  expect(await tryOutAll(trials)).toEqual(trials.map(expectedOf))
})

test("a provider that stalls in its answer is given up in time for the next", async () => {
  const trials = trialsOf(stalls, { bodyDeadlineMillis: 500 })
  expect(await tryOutAll(trials)).toEqual(trials.map(expectedOf))
})

const settings = { upstreamBodyLimitBytes: answerLimit }

describe.each(ways)("asked by $name", (way) => {
  test.each(contentFaults)("$name", async (fault) => {
    const trial = { fault, way, settings }
    expect(await tryOut(trial)).toEqual(expectedOf(trial))
  })
})

describe.each(ways.slice(0, 2))("asked by $name", (way) => {
  test.each(wireFaults)("$name", async (fault) => {
    const trial = { fault, way, settings }
    expect(await tryOut(trial)).toEqual(expectedOf(trial))
  })
})

const pairs = kinds
  .filter(({ outcome }) => outcome.moves)
  .flatMap((first) => kinds.map((second) => ({ first, second })))

test.each(pairs)("$first.name, then $second.name", async ({ first, second }) => {
  await using stage = await Stage.open()
  stage.upstreams.first.always(first.step)
  stage.upstreams.second.always(second.step)
  const { status } = await stage.ask()
  const mixed = first.passes && second.passes ? 503 : 502
  expect(status).toBe(first === second || !second.outcome.moves ? second.outcome.all : mixed)
  expect(stage.calls).toEqual({ first: 1, second: 1 })
})
