// The compiler runs these tests (`tsc -b`); no call is made.
import { describe, expectTypeOf, it } from "vitest"
import type { CustomerRefused } from "../../../src/tenants/auth/AuthErrors.ts"
import type * as Effect from "effect/Effect"
import type { Callers } from "../../../src/tenants/auth/Callers.ts"
import type { PresetUnavailable } from "../../../src/domains/presets/Preset.ts"
import type { Presets } from "../../../src/domains/presets/Presets.ts"
import { decide } from "../../../src/domains/decisions/decide.ts"
import type { AnswerTo, DecideResult } from "../../../src/domains/decisions/Decision.ts"
import type { InvalidRequest, RequestTooLarge } from "../../../src/values/errors/RequestErrors.ts"
import type { DecisionError, Decisions } from "../../../src/domains/decisions/Decisions.ts"
import type { Question } from "../../../src/questions/Question.ts"
import type { Signalbox } from "../../../src/Signalbox.ts"

const triage = (instance: Signalbox) =>
  instance.decide({
    model: "a/b",
    state: { text: "The parcel never came." },
    questions: {
      urgent: { type: "noul", instructions: "Is it urgent?" },
      team: {
        type: "choice",
        instructions: "Whose is it?",
        criteria: { billing: "money", delivery: ["parcels"], other: null }
      },
      anger: { type: "score", instructions: "How angry?", criteria: ["calm", { word: "cross" }] }
    }
  })
type Triage = Awaited<ReturnType<typeof triage>>

/** Questions that are only known at run time. */
const askMany = (instance: Signalbox, questions: Record<string, Question>) =>
  instance.decide({ model: "a/b", state: [1, 2], questions })

const askLabels = (instance: Signalbox, criteria: Record<string, string>) =>
  instance.decide({
    model: "a/b",
    state: "x",
    questions: { team: { type: "choice", instructions: "?", criteria } }
  })

const askInEffect = () =>
  decide({
    model: "a/b",
    state: "x",
    questions: { team: { type: "choice", instructions: "?", criteria: { a: null, b: null } } }
  })

describe("the types of a decision in process", () => {
  it("have exactly the names of the questions", () => {
    expectTypeOf<keyof Triage["answers"]>().toEqualTypeOf<"urgent" | "team" | "anger">()
    const read = ({ answers }: Triage) =>
      // @ts-expect-error not a question of the request
      answers.angry
    expectTypeOf(read).toBeFunction()
  })

  it("give each question its own type of answer", () => {
    expectTypeOf<Triage["answers"]["urgent"]>().toEqualTypeOf<{
      readonly type: "noul"
      readonly noul: number
      readonly prediction_set?: ReadonlyArray<boolean>
    }>()
    expectTypeOf<Triage["answers"]["team"]["type"]>().toEqualTypeOf<"choice">()
    expectTypeOf<Triage["answers"]["anger"]["type"]>().toEqualTypeOf<"score">()
    expectTypeOf<Triage["answers"]["anger"]["score"]>().toEqualTypeOf<number>()
    expectTypeOf<Triage["answers"]["anger"]["confidence"]>().toEqualTypeOf<number>()
    expectTypeOf<Triage["answers"]["anger"]["legend"]>().not.toBeNullable()
    const read = ({ answers }: Triage) => [
      // @ts-expect-error a yes/no question has no score
      answers.urgent.score,
      // @ts-expect-error a score has no choice
      answers.anger.choice
    ]
    expectTypeOf(read).toBeFunction()
  })

  it("restrict a choice to its labels", () => {
    type Label = "billing" | "delivery" | "other"
    expectTypeOf<Triage["answers"]["team"]["choice"]>().toEqualTypeOf<Label>()
    expectTypeOf<Triage["answers"]["team"]["confidence"]>().toEqualTypeOf<number>()
    expectTypeOf<Triage["answers"]["team"]["probabilities"]>().toEqualTypeOf<{
      readonly [L in Label]: number
    }>()
    const compare = ({ answers }: Triage) =>
      // @ts-expect-error no label of the question
      answers.team.choice === "deliveries"
    expectTypeOf(compare).toBeFunction()
  })

  it("include the provider and the usage, as in the HTTP API", () => {
    expectTypeOf<Triage["model"]>().toEqualTypeOf<string>()
    expectTypeOf<Triage["provider"]>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Triage["usage"]["input_tokens"]>().toEqualTypeOf<number>()
  })

  it("follow from questions kept in a constant", () => {
    const questions = {
      team: { type: "choice", instructions: "?", criteria: { a: null, b: null } },
      tone: { type: "score", instructions: "?", criteria: ["low", "high"] }
    } as const
    const ask = (instance: Signalbox) => instance.decide({ model: "a/b", state: "x", questions })
    type Answers = Awaited<ReturnType<typeof ask>>["answers"]
    expectTypeOf<Answers["team"]["choice"]>().toEqualTypeOf<"a" | "b">()
    expectTypeOf<Answers["tone"]["score"]>().toEqualTypeOf<number>()
  })

  it("stay open for questions that are only known at run time", () => {
    type Answers = Awaited<ReturnType<typeof askMany>>["answers"]
    expectTypeOf<Answers[string]>().toEqualTypeOf<AnswerTo<Question>>()
    const read = (answers: Answers) => {
      const answer = answers["any"]
      expectTypeOf(answer).toEqualTypeOf<AnswerTo<Question> | undefined>()
      return answer?.type === "choice" ? answer.choice : undefined
    }
    expectTypeOf(read).returns.toEqualTypeOf<string | undefined>()
    type Labelled = Awaited<ReturnType<typeof askLabels>>["answers"]
    expectTypeOf<Labelled["team"]["choice"]>().toEqualTypeOf<string>()
  })

  it("accept any object as the state, and require what a question needs", () => {
    interface Ticket {
      readonly id: number
    }
    const questions = { q: { type: "noul", instructions: "?" } } as const
    const ask = (instance: Signalbox, ticket: Ticket) => [
      instance.decide({ model: "a/b", state: ticket, questions }),
      instance.decide({ model: "a/b", state: [ticket], questions }),
      // @ts-expect-error a number is no state
      instance.decide({ model: "a/b", state: 5, questions }),
      instance.decide({
        model: "a/b",
        state: "",
        // @ts-expect-error no such kind of question
        questions: { q: { type: "rank", instructions: "?" } }
      }),
      instance.decide({
        model: "a/b",
        state: "",
        // @ts-expect-error a choice needs labels
        questions: { q: { type: "choice", instructions: "?" } }
      }),
      instance.decide({
        model: "a/b",
        state: "",
        // @ts-expect-error a score needs a level
        questions: { q: { type: "score", instructions: "", criteria: [] } }
      }),
      // @ts-expect-error no such preference
      instance.decide({ model: "a/b", state: "", questions, provider: { cheapest: true } })
    ]
    expectTypeOf(ask).toBeFunction()
  })

  it("are the same for the effect, which also has error types", () => {
    expectTypeOf(askInEffect).returns.toEqualTypeOf<
      Effect.Effect<
        DecideResult<{
          readonly team: {
            readonly type: "choice"
            readonly instructions: "?"
            readonly criteria: { readonly a: null; readonly b: null }
          }
        }>,
        CustomerRefused | DecisionError | InvalidRequest | PresetUnavailable | RequestTooLarge,
        Callers | Decisions | Presets
      >
    >()
  })
})
