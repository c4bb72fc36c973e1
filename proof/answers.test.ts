import { options } from "@signalbox/core/upstream"
import { reply, type Scripted, type ScriptedUpstream, type Step } from "@signalbox/testing"
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Answer } from "./Answer.ts"
import { type Asked, asked, markOf, mostQuestions, state } from "./arbitraries.ts"
import {
  choiceConfidence,
  expectedLevel,
  expectWellFormed,
  greatestOf,
  normalised,
  scoreConfidence
} from "./expectedAnswer.ts"
import { placesIn, replaced, strange } from "./places.ts"
import { property } from "./property.ts"
import { nameOf, request, Stage } from "./Stage.ts"
import { native, type Way, ways } from "./ways.ts"

interface Theatre {
  readonly stage: Stage
  readonly upstream: ScriptedUpstream
  /** What the provider says when it is asked for the logprobs of one question, by its place. */
  readonly lanes: ReadonlyArray<Scripted>
}

const theatres = new Map<Way, Theatre>()

beforeAll(async () => {
  for (const way of ways) {
    const stage = await Stage.open({ way })
    const upstream = stage.upstreams.first
    const lanes = Array.from({ length: mostQuestions }, (_, place) =>
      upstream.when(
        ({ body, raw }) => property(body, "logprobs") === true && raw.includes(markOf(place))
      )
    )
    theatres.set(way, { stage, upstream, lanes })
  }
})
afterAll(async () => {
  for (const { stage } of theatres.values()) await stage[Symbol.asyncDispose]()
})

const questionsOf = (all: ReadonlyArray<Asked>) =>
  Object.fromEntries(all.map(({ name, question }) => [name, question]))

const ask = ({ stage }: Theatre, all: ReadonlyArray<Asked>, content: unknown): Promise<Answer> =>
  stage.ask(request({ state: content, questions: questionsOf(all), provider: { only: ["first"] } }))

/** The numbers an answer has to carry. */
interface Expected {
  readonly probabilities: ReadonlyArray<number>
  /** What a native provider says itself, instead of what follows from the probabilities. */
  readonly score?: number
  readonly confidence?: number | undefined
}

/** How a native provider words its answers. */
const wording = fc.record({
  confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  probabilities: fc.constantFrom("none", "exact", "rounded")
})
type Wording = typeof wording extends fc.Arbitrary<infer A> ? A : never

const oneHot = (length: number, hot: number): ReadonlyArray<number> =>
  Array.from({ length }, (_, i) => (i === hot ? 1 : 0))

/** Some providers round to two decimals; with many options nothing may be left of some. */
const rounded = (probabilities: ReadonlyArray<number>): ReadonlyArray<number> =>
  probabilities.map((probability) => Math.round(probability * 100) / 100)

const nativeAnswer = ({ question, weights }: Asked, worded: Wording) => {
  if (question.type === "noul") {
    return { answer: { type: "noul", noul: weights[0] }, expected: { probabilities: weights } }
  }
  const exact = normalised(weights)
  const told = worded.probabilities === "rounded" ? rounded(exact) : exact
  const labels = options(question).map(({ label }) => label)
  const { confidence } = worded
  const beside = {
    ...(confidence === undefined ? undefined : { confidence }),
    ...(worded.probabilities === "none"
      ? undefined
      : { probabilities: Object.fromEntries(labels.map((label, i) => [label, told[i]])) })
  }
  if (question.type === "choice") {
    const hot = greatestOf(told)
    const probabilities =
      worded.probabilities === "none" ? oneHot(labels.length, hot) : normalised(told)
    const answer = { type: "choice", choice: labels[hot], ...beside }
    return { answer, expected: { probabilities, confidence } }
  }
  const score = expectedLevel(exact)
  const nextTo = exact.map((_, level) => Math.max(0, 1 - Math.abs(score - level)))
  const probabilities = normalised(worded.probabilities === "none" ? nextTo : told)
  return {
    answer: { type: "score", score, ...beside },
    expected: { probabilities, score, confidence }
  }
}

/** Lets the provider say what it thinks; returns what has to become of it, by question. */
const script = (
  { lanes, upstream }: Theatre,
  way: Way,
  all: ReadonlyArray<Asked>,
  worded: Wording,
  report: { readonly model: string }
): ReadonlyMap<string, Expected> => {
  const byName = new Map(all.map((each) => [each.name, each]))
  const inOrder = Object.keys(questionsOf(all)).map((name) => byName.get(name)!)
  const probabilities = (of: (asked: Asked) => ReadonlyArray<number>) =>
    new Map(all.map((each) => [each.name, { probabilities: of(each) }]))
  switch (way.name) {
    case "native": {
      const said = all.map((each) => [each.name, nativeAnswer(each, worded)] as const)
      upstream.always(
        reply.json({
          ...report,
          answers: Object.fromEntries(said.map(([name, { answer }]) => [name, answer])),
          usage: { input_tokens: 12, output_tokens: 3 }
        })
      )
      return new Map(said.map(([name, { expected }]) => [name, expected]))
    }
    case "logprobs": {
      // Tokens are drawn from a distribution, and there are twenty of them.
      for (const { place, weights } of all) {
        lanes[place]!.always(reply.decision([normalised(weights)], report))
      }
      const beyondTokens = inOrder.filter(({ weights }) => weights.length > 20)
      upstream.always(
        reply.decision(
          beyondTokens.map(({ weights }) => weights),
          report
        )
      )
      return probabilities(({ weights }) => normalised(weights))
    }
    case "stated": {
      const several = inOrder.filter(({ weights }) => weights.length > 1)
      const stated = several.map(({ question, weights }) =>
        question.type === "noul" ? weights[0]! : weights
      )
      upstream.always(reply.decision(stated, report))
      return probabilities(({ weights }) => normalised(weights))
    }
    case "discrete": {
      const several = inOrder.filter(({ weights }) => weights.length > 1)
      upstream.always(
        reply.decision(
          several.map(({ weights }) => weights),
          report
        )
      )
      return probabilities(({ weights }) => oneHot(weights.length, greatestOf(weights)))
    }
  }
}

const expectClose = (actual: unknown, expected: number): void => {
  expect(Math.abs(Number(actual) - expected)).toBeLessThanOrEqual(1e-9)
}

const expectNumbers = (
  { question }: Asked,
  answered: unknown,
  { confidence, probabilities, score }: Expected
): void => {
  if (question.type === "noul") {
    expectClose(property(answered, "noul"), probabilities[0]!)
    return
  }
  const told = property(answered, "probabilities")
  const labels = options(question).map(({ label }) => label)
  const found = labels.map((label) => Number(property(told, label)))
  for (const [i, probability] of probabilities.entries()) expectClose(found[i], probability)
  // What follows from them is judged from the numbers told: a tie is decided by the last bit, and
  // many small differences add up.
  if (question.type === "choice") {
    const choice = String(property(answered, "choice"))
    expect(found[labels.indexOf(choice)]).toBe(Math.max(...found))
    expectClose(property(answered, "confidence"), confidence ?? choiceConfidence(found))
  } else {
    expectClose(property(answered, "score"), score ?? expectedLevel(found))
    expectClose(property(answered, "confidence"), confidence ?? scoreConfidence(found))
  }
}

/** Shrinking a large request can outlast a test, which would then tell nothing of what failed. */
const untilTimeRunsOut = { interruptAfterTimeLimit: 50_000, markInterruptAsFailure: true }

test("any question with any distribution gets a valid answer with the right numbers", async () => {
  const trial = fc.record({
    way: fc.constantFrom(...ways),
    all: asked,
    content: state,
    worded: wording,
    model: fc.string({ unit: "binary", minLength: 1, maxLength: 20 })
  })
  await fc.assert(
    fc.asyncProperty(trial, async ({ all, content, model, way, worded }) => {
      const theatre = theatres.get(way)!
      const expected = script(theatre, way, all, worded, { model })
      const answer = await ask(theatre, all, content)
      if (answer.status !== 200) throw new Error(answer.text)
      const { answers, model: served, provider } = Object(answer.body)
      const asksNobody = way !== native && all.every(({ weights }) => weights.length === 1)
      expect(served).toBe(asksNobody ? "proof/model" : model)
      expect(provider).toBe(nameOf("first"))
      expectWellFormed(all, answers)
      for (const each of all) {
        expectNumbers(each, answers[each.name], expected.get(each.name)!)
      }
    }),
    { numRuns: 1_000, ...untilTimeRunsOut }
  )
}, 120_000)

/** Whether what the provider says becomes a valid answer or a 502, and nothing else. */
const isAnsweredOrRefused = async (
  theatre: Theatre,
  all: ReadonlyArray<Asked>,
  step: Step
): Promise<boolean> => {
  theatre.upstream.always(step)
  const answer = await ask(theatre, all, "")
  if (answer.status === 200) expectWellFormed(all, property(answer.body, "answers"))
  return answer.status === 200 || answer.status === 502
}

test("a native answer that is wrong somewhere becomes a valid one or a 502", async () => {
  const trial = fc
    .record({ all: asked, worded: wording })
    .map(({ all, worded }) => ({
      all,
      said: {
        model: "m",
        answers: Object.fromEntries(
          all.map((each) => [each.name, nativeAnswer(each, worded).answer])
        ),
        usage: { input_tokens: 12, output_tokens: 3 }
      }
    }))
    .chain(({ all, said }) =>
      fc.record({
        all: fc.constant(all),
        said: fc
          .tuple(fc.constantFrom(...placesIn(said)), strange)
          .map(([place, by]) => replaced(said, place, by))
      })
    )
  await fc.assert(
    fc.asyncProperty(trial, async ({ all, said }) => {
      expect(await isAnsweredOrRefused(theatres.get(native)!, all, reply.json(said))).toBe(true)
    }),
    { numRuns: 300, ...untilTimeRunsOut }
  )
}, 60_000)

test("whatever a chat model says becomes a valid answer or a 502", async () => {
  const trial = fc.record({
    way: fc.constantFrom(...ways.filter((way) => way !== native)),
    all: asked,
    text: fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc
        .dictionary(
          fc.constantFrom("q0", "q1", "q2", "q3", "__proto__"),
          fc.oneof(strange, fc.dictionary(fc.constantFrom("o0", "o1", "o2"), strange))
        )
        .map((said) => `Sure! {not json} \`\`\`json\n${JSON.stringify(said)}\n\`\`\``)
    )
  })
  await fc.assert(
    fc.asyncProperty(trial, async ({ all, text, way }) => {
      const theatre = theatres.get(way)!
      for (const lane of theatre.lanes) lane.always(reply.chat(text))
      expect(await isAnsweredOrRefused(theatre, all, reply.chat(text))).toBe(true)
    }),
    { numRuns: 300, ...untilTimeRunsOut }
  )
}, 60_000)

test.each([1e308, 1e300])(
  "a cost of %d USD is told in a way that clients can read",
  async (cost) => {
    const { stage, upstream } = theatres.get(native)!
    upstream.always(reply.decision({}, { cost }))
    expect((await stage.ask()).status).toBe(200)
  }
)
