/** Effect's decision model over an instance. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Decision from "effect/ai/Decision"
import * as DecisionModel from "effect/ai/DecisionModel"
import * as AiModel from "effect/ai/Model"
import type { DecisionRequest } from "../domains/decisions/Decision.ts"
import { Decisions } from "../domains/decisions/Decisions.ts"
import { decodeDecisionRequest } from "../domains/decisions/parseDecisionRequest.ts"
import { Settings } from "../instance/Settings.ts"
import type { Answer, Answers } from "../questions/Answer.ts"
import type { Guidance, Question, Questions } from "../questions/Question.ts"
import { parseInProcess } from "../routing/parseRequest.ts"
import { omitUndefined } from "../values/ownFields.ts"
import { type CallServices, makeCallRunner } from "./CurrentCaller.ts"
import { toRouting } from "./toRouting.ts"
import { makeWithConfigOverride } from "./withConfigOverride.ts"

/**
 * The fields of a Decision request besides its state and its questions, such as routing preferences (`provider`),
 * `escalate` or `calibration`.
 */
export interface DecisionModelConfig extends Partial<
  Omit<DecisionRequest, "questions" | "state">
> {}

/** Settings of one call, which take precedence over the layer's; see `withConfigOverride`. */
export class Config extends Context.Service<Config, DecisionModelConfig>()(
  "@signalbox/core/ai/SignalboxDecisionModel/Config"
) {}

/** Settings for the calls of an effect; see `SignalboxLanguageModel.withConfigOverride`. */
export const withConfigOverride = makeWithConfigOverride(Config)

/** The options of a decision model. */
export interface DecisionModelOptions {
  /** A model of the catalog, with or without Decisions of its own. */
  readonly model: string
  readonly config?: Omit<DecisionModelConfig, "model">
}

/** The services of an instance that a decision model needs. */
export type Services = CallServices | Decisions

/** Makes a decision model. A model without Decisions of its own answers by chat, also with probabilities. */
export const make = ({
  config: defaults,
  model
}: DecisionModelOptions): Effect.Effect<DecisionModel.DecisionModel, never, Services> =>
  Effect.gen(function* () {
    const decisions = yield* Decisions
    const settings = yield* Settings
    const run = yield* makeCallRunner("SignalboxDecisionModel")

    return yield* DecisionModel.make({
      supportsImages: true,
      decide: (options: DecisionModel.ProviderOptions<Exclude<Decision.Any, Decision.Locate>>) =>
        run(
          "decide",
          Effect.fnUntraced(function* ({ caller, observer }) {
            const overrides = Context.getOrUndefined(yield* Effect.context(), Config)
            const request = {
              model,
              ...defaults,
              ...overrides,
              state: parseState(options),
              questions: parseQuestions(options.decisions)
            }
            const parsed = yield* parseInProcess(request, settings, decodeDecisionRequest)
            const decision = yield* decisions.submit(caller, parsed, observer)
            const { answers, id, model: modelId, provider, usage } = decision
            return {
              answers: writeDecisionAnswers(options.decisions, answers),
              usage: { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
              modelId,
              ...omitUndefined({ id }),
              metadata: {
                signalbox: {
                  generationId: id ?? "",
                  model: modelId,
                  provider: provider ?? "",
                  ...omitUndefined({
                    cost: usage.cost,
                    routing: toRouting(observer),
                    predictionSets: writePredictionSets(options.decisions, answers)
                  })
                }
              }
            }
          })
        ).pipe(Effect.scoped)
    })
  })

/** A decision model of an instance, such as `layer(options)` or `Layer.succeedContext(signalbox.context)`. */
export const layer = (
  options: DecisionModelOptions
): Layer.Layer<DecisionModel.DecisionModel, never, Services> =>
  Layer.effect(DecisionModel.DecisionModel, make(options))

/** `layer` with the names that Effect's AI services report. */
export const model = (
  model: string,
  config?: Omit<DecisionModelConfig, "model">
): AiModel.Model<"signalbox", DecisionModel.DecisionModel, Services> =>
  AiModel.make("signalbox", model, layer({ model, ...(config === undefined ? {} : { config }) }))

type Answerable = Exclude<Decision.Any, Decision.Locate>

/** Parses Effect's decisions as the questions of a Decision. */
export const parseQuestions = (decisions: Readonly<Record<string, Answerable>>): Questions =>
  Object.fromEntries(
    Object.entries(decisions).map(([name, decision]) => [name, parseQuestion(decision)])
  )

const parseQuestion = (decision: Answerable): Question => {
  const { instructions } = decision
  switch (decision._tag) {
    case "Probability":
      return {
        type: "noul",
        instructions,
        ...(decision.criteria === undefined ? undefined : { criteria: decision.criteria })
      }
    case "Classify":
      return { type: "choice", instructions, criteria: decision.criteria }
    case "Rate": {
      const [lowest, ...levels] = decision.criteria.map(({ description }) => description)
      // `Decision.rate` requires two levels.
      return { type: "score", instructions, criteria: [lowest ?? "", ...levels] }
    }
  }
}

/** Images follow the input, each behind the reference by which the input names it. */
export const parseState = ({
  images = [],
  state
}: Pick<DecisionModel.ProviderOptions, "images" | "state">): Guidance =>
  images.length === 0
    ? typeof state === "string" || (typeof state === "object" && state !== null)
      ? state
      : JSON.stringify(state)
    : [
        state,
        ...images.flatMap(({ image: { data, mediaType }, reference }) => [
          `The image ${reference}:`,
          {
            type: "image_url",
            image_url: {
              url: data instanceof URL ? data.href : `data:${mediaType};base64,${data}`
            }
          }
        ])
      ]

/** The levels of a scale are named by their labels, as Effect does, and not by their places. */
export const writeDecisionAnswers = (
  decisions: Readonly<Record<string, Decision.Any>>,
  answers: Answers
): Readonly<Record<string, DecisionModel.ProviderAnswer>> =>
  Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      writeAnswer(findDecision(decisions, name), answer)
    ])
  )

/** Undefined when no answer has one. */
export const writePredictionSets = (
  decisions: Readonly<Record<string, Decision.Any>>,
  answers: Answers
): Readonly<Record<string, ReadonlyArray<boolean | string>>> | undefined => {
  const sets = Object.entries(answers).flatMap(([name, answer]) =>
    answer.prediction_set === undefined
      ? []
      : [[name, answer.prediction_set.map(toOptionName(findDecision(decisions, name)))] as const]
  )
  return sets.length === 0 ? undefined : Object.fromEntries(sets)
}

const toOptionName =
  (decision: Decision.Any | undefined) =>
  (option: boolean | number | string): boolean | string => {
    if (typeof option !== "number") return option
    return (decision?._tag === "Rate" ? decision.criteria[option]?.label : undefined) ?? `${option}`
  }

const findDecision = (
  decisions: Readonly<Record<string, Decision.Any>>,
  name: string
): Decision.Any | undefined => (Object.hasOwn(decisions, name) ? decisions[name] : undefined)

const writeAnswer = (
  decision: Decision.Any | undefined,
  answer: Answer
): DecisionModel.ProviderAnswer => {
  switch (answer.type) {
    case "noul":
      return { _tag: "Probability", probability: answer.noul }
    case "choice": {
      const { choice, confidence, probabilities } = answer
      return { _tag: "Classify", label: choice, ...omitUndefined({ confidence, probabilities }) }
    }
    case "score": {
      const { confidence, probabilities, score } = answer
      const levels = decision?._tag === "Rate" ? decision.criteria : []
      return {
        _tag: "Rate",
        rating: score,
        ...omitUndefined({
          confidence,
          probabilities:
            probabilities &&
            Object.fromEntries(
              levels.map(({ label }, level) => [label, probabilities[level] ?? Number.NaN])
            )
        })
      }
    }
  }
}
