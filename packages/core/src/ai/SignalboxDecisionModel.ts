/** Effect's decision model over an instance. */
import type * as Decision from "effect/ai/Decision"
import * as DecisionModel from "effect/ai/DecisionModel"
import * as AiModel from "effect/ai/Model"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DecisionRequest } from "../domains/decisions/DecisionRequest.ts"
import { Decisions } from "../domains/decisions/Decisions.ts"
import { decodeDecisionRequest } from "../domains/decisions/parseDecisionRequest.ts"
import { parseInProcess } from "../routing/parseRequest.ts"
import { Settings } from "../instance/Settings.ts"
import { omitUndefined } from "../values/ownFields.ts"
import { type CallServices, makeCallRunner } from "./makeCallRunner.ts"
import { parseQuestions, parseState } from "./parseQuestions.ts"
import { toRouting } from "./toRouting.ts"
import { makeWithConfigOverride } from "./withConfigOverride.ts"
import { writeDecisionAnswers, writePredictionSets } from "./writeDecisionAnswers.ts"

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
