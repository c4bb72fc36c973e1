import { fault, pace } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { errorIn } from "./Answer.ts"
import { property } from "./property.ts"
import { deadline, type Situation, silences, situations } from "./situations.ts"
import { nameOf, questions, request, type Slug, Stage } from "./Stage.ts"
import { type Way, ways } from "./ways.ts"

/** How long a request may take beside its deadline on a machine that has much else to do. */
const patience = 12_000

interface Trial {
  readonly situation: Situation
  readonly way: Way
  /** Whether a healthy provider comes next. */
  readonly isAlone: boolean
}

/** One question is one request in every way of asking, so that requests can be counted. */
const asked = (isAlone: boolean) =>
  request({
    questions: { urgent: questions.urgent },
    ...(isAlone ? { provider: { only: ["first"] } } : undefined)
  })

/** All there is to see of one request in a situation. */
const play = async ({ isAlone, situation, way }: Trial) => {
  await using stage = await Stage.open({ ...situation.scene, way })
  const { first } = stage.upstreams
  if (situation.step !== undefined) first.always(situation.step)
  const started = performance.now()
  const answer = await stage.ask(asked(isAlone), {
    headers: { "X-OpenRouter-Metadata": "enabled" }
  })
  const millis = performance.now() - started
  const isSilent = silences.includes(situation)
  if (isSilent) await first.aborted(1)
  const { message, metadata } = errorIn(answer)
  const told = property(answer.body, "service_metadata")
  return {
    status: answer.status,
    retryAfter: answer.headers["retry-after"],
    provider: property(answer.body, "provider"),
    message,
    failures: property(metadata, "previous_errors"),
    winner: property(told, "attempt"),
    attempts: property(told, "attempts"),
    recorded: (await stage.generation(property(answer.body, "id")))?.attempts.map(
      ({ outcome, provider }) => [provider, outcome]
    ),
    calls: stage.calls,
    isInTime: millis < (isSilent ? deadline : 0) + patience,
    logs: stage.logs
  }
}

const attempt = (slug: Slug, status: number) => ({
  provider: nameOf(slug),
  model: "proof/model",
  status
})

const expectedOf = ({ isAlone, situation, way }: Trial): Awaited<ReturnType<typeof play>> => {
  const { alone, answered, isFinal = false, kind, requests, retryAfter } = situation
  const calls = { first: requests?.(way) ?? 1, second: 0 }
  const failed = { ...attempt("first", answered ?? 0), error: kind }
  const always = { isInTime: true, logs: [] }
  if (isAlone || isFinal) {
    const said = answered === undefined ? kind : `${kind} (${answered})`
    return {
      ...always,
      status: alone,
      retryAfter,
      provider: undefined,
      message: expect.stringContaining(`Provider returned error: First: ${said}`),
      failures: [
        {
          provider: "First",
          code: kind,
          ...(answered === undefined ? undefined : { status: answered })
        }
      ],
      winner: 0,
      attempts: [failed],
      recorded: undefined,
      calls
    }
  }
  return {
    ...always,
    status: 200,
    retryAfter: undefined,
    provider: "Second",
    message: undefined,
    failures: undefined,
    winner: 2,
    attempts: [failed, attempt("second", 200)],
    recorded: [
      ["First", kind],
      ["Second", "served"]
    ],
    calls: { ...calls, second: 1 }
  }
}

describe.each(ways)("asked by $name", (way) => {
  const possible = situations.filter((situation) => situation.ways?.includes(way) ?? true)

  test.each(possible)("$name", async (situation) => {
    for (const isAlone of [false, true]) {
      const trial = { situation, way, isAlone }
      expect(await play(trial)).toEqual(expectedOf(trial))
    }
  })

  test("16. caller gone: the provider is hung up on, nobody else is asked or blamed", async () => {
    await using stage = await Stage.open({ way })
    const { first, second } = stage.upstreams
    first.always(pace.hold(first.gate()))
    const leaving = new AbortController()
    const gone = stage.ask(asked(false), { signal: leaving.signal }).catch(() => "gone")
    await first.received(1)
    leaving.abort()
    expect(await gone).toBe("gone")
    await first.aborted(1)
    expect(stage.calls).toEqual({ first: 1, second: 0 })
    expect((await stage.box.health()).endpoints).toEqual({})
    expect(second.connections).toBe(0)
    expect(stage.logs).toEqual([])
  })

  test("16. caller gone during a fallback: only the failure counts", async () => {
    await using stage = await Stage.open({ way })
    const { first, second } = stage.upstreams
    first.always(fault.status(500))
    second.always(pace.hold(second.gate()))
    const leaving = new AbortController()
    const gone = stage.ask(asked(false), { signal: leaving.signal }).catch(() => "gone")
    await second.received(1)
    leaving.abort()
    expect(await gone).toBe("gone")
    await second.aborted(1)
    expect(stage.calls).toEqual({ first: 1, second: 1 })
    expect(Object.keys((await stage.box.health()).endpoints)).toEqual(["proof/model@first"])
    expect(stage.logs).toEqual([])
  })
})

test("4, 5 and 6: whoever falls silent is given up at its deadline", async () => {
  const trials = [ways[0]!, ways[2]!].flatMap((way) =>
    silences.flatMap((situation) =>
      [true, false].map((isAlone): Trial => ({ situation, way, isAlone }))
    )
  )
  // Real time passes here, for all at once.
  expect(await Promise.all(trials.map(play))).toEqual(trials.map(expectedOf))
})
