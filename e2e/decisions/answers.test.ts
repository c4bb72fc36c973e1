import { listOptions } from "@signalbox/core/upstream"
import { reply, type Scripted, type ScriptedUpstream, type Step } from "@signalbox/testing"
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { scaleRuns } from "../../vitest.scope.ts"
import type { HttpResponse } from "../support/HttpResponse.ts"
import {
  type GeneratedQuestion,
  arbitraryQuestions,
  toMark,
  maxQuestions,
  arbitraryState
} from "./arbitraryQuestions.ts"
import {
  computeChoiceConfidence,
  toExpectedLevel,
  expectWellFormed,
  max,
  normalize,
  computeScoreConfidence
} from "./expectedAnswer.ts"
import { listJsonPaths, replaceAtPath, arbitraryJson } from "../support/jsonPaths.ts"
import { getProperty } from "../support/getProperty.ts"
import { toProviderName, makeDecisionRequest, TestServer } from "../support/TestServer.ts"
import { native, type DecisionMethod, decisionMethods } from "../support/decisionMethods.ts"

interface MethodServer {
  readonly server: TestServer
  readonly upstream: ScriptedUpstream
  /** The provider's scripts for the logprobs of one question, by its index. */
  readonly questionScripts: ReadonlyArray<Scripted>
}

const methodServers = new Map<DecisionMethod, MethodServer>()

beforeAll(async () => {
  for (const method of decisionMethods) {
    const server = await TestServer.start({ method })
    const upstream = server.upstreams.first
    const questionScripts = Array.from({ length: maxQuestions }, (_, place) =>
      upstream.when(
        ({ body, raw }) => getProperty(body, "logprobs") === true && raw.includes(toMark(place))
      )
    )
    methodServers.set(method, { server, upstream, questionScripts })
  }
})
afterAll(async () => {
  for (const { server } of methodServers.values()) await server[Symbol.asyncDispose]()
})

const toQuestions = (all: ReadonlyArray<GeneratedQuestion>) =>
  Object.fromEntries(all.map(({ name, question }) => [name, question]))

const ask = (
  { server }: MethodServer,
  all: ReadonlyArray<GeneratedQuestion>,
  content: unknown
): Promise<HttpResponse> =>
  server.ask(
    makeDecisionRequest({
      state: content,
      questions: toQuestions(all),
      provider: { only: ["first"] }
    })
  )

/** The expected numbers of an answer. */
interface ExpectedNumbers {
  readonly probabilities: ReadonlyArray<number>
  /** The confidence that a native provider states, in place of one derived from the probabilities. */
  readonly score?: number
  readonly confidence?: number | undefined
}

/** How a native provider formats its answers. */
const arbitraryWording = fc.record({
  confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  probabilities: fc.constantFrom("none", "exact", "rounded")
})
type AnswerWording = typeof arbitraryWording extends fc.Arbitrary<infer A> ? A : never

const oneHot = (length: number, hot: number): ReadonlyArray<number> =>
  Array.from({ length }, (_, i) => (i === hot ? 1 : 0))

/** Some providers round to two decimals, which can turn small probabilities into 0. */
const roundToTwoDecimals = (probabilities: ReadonlyArray<number>): ReadonlyArray<number> =>
  probabilities.map((probability) => Math.round(probability * 100) / 100)

const toNativeAnswer = ({ question, weights }: GeneratedQuestion, wording: AnswerWording) => {
  if (question.type === "noul") {
    return { answer: { type: "noul", noul: weights[0] }, expected: { probabilities: weights } }
  }
  const exact = normalize(weights)
  const received = wording.probabilities === "rounded" ? roundToTwoDecimals(exact) : exact
  const labels = listOptions(question).map(({ label }) => label)
  const { confidence } = wording
  const beside = {
    ...(confidence === undefined ? undefined : { confidence }),
    ...(wording.probabilities === "none"
      ? undefined
      : { probabilities: Object.fromEntries(labels.map((label, i) => [label, received[i]])) })
  }
  if (question.type === "choice") {
    const hot = max(received)
    const probabilities =
      wording.probabilities === "none" ? oneHot(labels.length, hot) : normalize(received)
    const answer = { type: "choice", choice: labels[hot], ...beside }
    return { answer, expected: { probabilities, confidence } }
  }
  const score = toExpectedLevel(exact)
  const nextTo = exact.map((_, level) => Math.max(0, 1 - Math.abs(score - level)))
  const probabilities = normalize(wording.probabilities === "none" ? nextTo : received)
  return {
    answer: { type: "score", score, ...beside },
    expected: { probabilities, score, confidence }
  }
}

/** Scripts the provider's answers and returns the expected numbers by question. */
const scriptProvider = (
  { questionScripts, upstream }: MethodServer,
  method: DecisionMethod,
  all: ReadonlyArray<GeneratedQuestion>,
  wording: AnswerWording,
  report: { readonly model: string }
): ReadonlyMap<string, ExpectedNumbers> => {
  const byName = new Map(all.map((each) => [each.name, each]))
  const inOrder = Object.keys(toQuestions(all)).map((name) => byName.get(name)!)
  const probabilities = (of: (requested: GeneratedQuestion) => ReadonlyArray<number>) =>
    new Map(all.map((each) => [each.name, { probabilities: of(each) }]))
  switch (method.name) {
    case "native": {
      const said = all.map((each) => [each.name, toNativeAnswer(each, wording)] as const)
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
      // Tokens come from a distribution; the provider reports the top twenty.
      for (const { index, weights } of all) {
        questionScripts[index]!.always(reply.decision([normalize(weights)], report))
      }
      const beyondTokens = inOrder.filter(({ weights }) => weights.length > 20)
      upstream.always(
        reply.decision(
          beyondTokens.map(({ weights }) => weights),
          report
        )
      )
      return probabilities(({ weights }) => normalize(weights))
    }
    case "stated": {
      const several = inOrder.filter(({ weights }) => weights.length > 1)
      const given = several.map(({ question, weights }) =>
        question.type === "noul" ? weights[0]! : weights
      )
      upstream.always(reply.decision(given, report))
      return probabilities(({ weights }) => normalize(weights))
    }
    case "discrete": {
      const several = inOrder.filter(({ weights }) => weights.length > 1)
      upstream.always(
        reply.decision(
          several.map(({ weights }) => weights),
          report
        )
      )
      return probabilities(({ weights }) => oneHot(weights.length, max(weights)))
    }
  }
}

const expectClose = (actual: unknown, expected: number): void => {
  expect(Math.abs(Number(actual) - expected)).toBeLessThanOrEqual(1e-9)
}

const expectNumbers = (
  { question }: GeneratedQuestion,
  responses: unknown,
  { confidence, probabilities, score }: ExpectedNumbers
): void => {
  if (question.type === "noul") {
    expectClose(getProperty(responses, "noul"), probabilities[0]!)
    return
  }
  const received = getProperty(responses, "probabilities")
  const labels = listOptions(question).map(({ label }) => label)
  const found = labels.map((label) => Number(getProperty(received, label)))
  for (const [i, probability] of probabilities.entries()) expectClose(found[i], probability)
  // Derived values are checked against the reported numbers: the last bit decides a tie, and many
  // small differences add up.
  if (question.type === "choice") {
    const choice = String(getProperty(responses, "choice"))
    expect(found[labels.indexOf(choice)]).toBe(Math.max(...found))
    expectClose(getProperty(responses, "confidence"), confidence ?? computeChoiceConfidence(found))
  } else {
    expectClose(getProperty(responses, "score"), score ?? toExpectedLevel(found))
    expectClose(getProperty(responses, "confidence"), confidence ?? computeScoreConfidence(found))
  }
}

/** Without this, shrinking a large request can exceed the timeout of the test and hide the failure. */
const runUntilTimeout = { interruptAfterTimeLimit: 200_000, markInterruptAsFailure: true }

test("arbitrary questions with arbitrary distributions get valid answers with the expected numbers", async () => {
  const trial = fc.record({
    method: fc.constantFrom(...decisionMethods),
    all: arbitraryQuestions,
    content: arbitraryState,
    wording: arbitraryWording,
    model: fc.string({ unit: "binary", minLength: 1, maxLength: 20 })
  })
  await fc.assert(
    fc.asyncProperty(trial, async ({ all, content, model, method, wording }) => {
      const methodServer = methodServers.get(method)!
      const expected = scriptProvider(methodServer, method, all, wording, { model })
      const answer = await ask(methodServer, all, content)
      if (answer.status !== 200) throw new Error(answer.text)
      const { answers, model: served, provider } = Object(answer.body)
      expect(served).toBe("proof/model")
      expect(provider).toBe(toProviderName("first"))
      expectWellFormed(all, answers)
      for (const each of all) {
        expectNumbers(each, answers[each.name], expected.get(each.name)!)
      }
    }),
    { numRuns: scaleRuns(1_000), ...runUntilTimeout }
  )
})

/** Whether the response to the provider's answer is a valid answer or a 502. */
const isValidAnswerOrError = async (
  methodServer: MethodServer,
  all: ReadonlyArray<GeneratedQuestion>,
  step: Step
): Promise<boolean> => {
  methodServer.upstream.always(step)
  const answer = await ask(methodServer, all, "")
  if (answer.status === 200) expectWellFormed(all, getProperty(answer.body, "answers"))
  return answer.status === 200 || answer.status === 502
}

test("a native answer with an invalid value results in a valid answer or a 502", async () => {
  const trial = fc
    .record({ all: arbitraryQuestions, wording: arbitraryWording })
    .map(({ all, wording }) => ({
      all,
      said: {
        model: "m",
        answers: Object.fromEntries(
          all.map((each) => [each.name, toNativeAnswer(each, wording).answer])
        ),
        usage: { input_tokens: 12, output_tokens: 3 }
      }
    }))
    .chain(({ all, said }) =>
      fc.record({
        all: fc.constant(all),
        said: fc
          .tuple(fc.constantFrom(...listJsonPaths(said)), arbitraryJson)
          .map(([place, by]) => replaceAtPath(said, place, by))
      })
    )
  await fc.assert(
    fc.asyncProperty(trial, async ({ all, said }) => {
      expect(await isValidAnswerOrError(methodServers.get(native)!, all, reply.json(said))).toBe(
        true
      )
    }),
    { numRuns: scaleRuns(300), ...runUntilTimeout }
  )
})

test("arbitrary output of a chat model results in a valid answer or a 502", async () => {
  const trial = fc.record({
    method: fc.constantFrom(...decisionMethods.filter((method) => method !== native)),
    all: arbitraryQuestions,
    text: fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc
        .dictionary(
          fc.constantFrom("q0", "q1", "q2", "q3", "__proto__"),
          fc.oneof(arbitraryJson, fc.dictionary(fc.constantFrom("o0", "o1", "o2"), arbitraryJson))
        )
        .map((said) => `Sure! {not json} \`\`\`json\n${JSON.stringify(said)}\n\`\`\``)
    )
  })
  await fc.assert(
    fc.asyncProperty(trial, async ({ all, text, method }) => {
      const methodServer = methodServers.get(method)!
      for (const questionScript of methodServer.questionScripts)
        questionScript.always(reply.chat(text))
      expect(await isValidAnswerOrError(methodServer, all, reply.chat(text))).toBe(true)
    }),
    { numRuns: scaleRuns(300), ...runUntilTimeout }
  )
})

test.each([1e308, 1e300])(
  "a cost of %d USD is encoded so that clients can read it",
  async (cost) => {
    const { server, upstream } = methodServers.get(native)!
    upstream.always(reply.decision({}, { cost }))
    expect((await server.ask()).status).toBe(200)
  }
)
