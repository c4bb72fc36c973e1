import { describe, expect, test } from "vitest"
import { errorIn } from "./Answer.ts"
import { callerGone } from "./callerGone.ts"
import { metFailure } from "./metFailure.ts"
import { property } from "./property.ts"
import { type Situation, silences, situations } from "./situations.ts"
import { questions, request, Stage } from "./Stage.ts"
import { type Way, ways } from "./ways.ts"

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
  const answer = await stage.ask(asked(isAlone), {
    headers: { "X-OpenRouter-Metadata": "enabled" }
  })
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
    recorded: (await stage.generation(answer.headers["x-generation-id"]))?.attempts.map(
      ({ outcome, provider }) => [provider, outcome]
    ),
    calls: stage.calls,
    logs: stage.logs
  }
}

const expectedOf = ({ isAlone, situation, way }: Trial): Awaited<ReturnType<typeof play>> => {
  const { passed, stopped } = metFailure(situation, way)
  return isAlone || situation.isFinal === true ? stopped : passed
}

describe.each(ways)("asked by $name", (way) => {
  const possible = situations.filter((situation) => situation.ways?.includes(way) ?? true)

  test.each(possible)("$name", async (situation) => {
    for (const isAlone of [false, true]) {
      const trial = { situation, way, isAlone }
      expect(await play(trial)).toEqual(expectedOf(trial))
    }
  })

  callerGone({
    open: () => Stage.open({ way }),
    ask: (stage, sending) => stage.ask(asked(false), sending)
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
