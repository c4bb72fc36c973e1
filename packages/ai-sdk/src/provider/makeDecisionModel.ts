/** A decision model of the AI SDK whose calls an instance routes. */
import type { CallerConfig, DecideRequest, Question } from "@signalbox/core"
import { RouteLog, toJson, writeCost } from "./callMetadata.ts"
import { CallWarnings } from "./CallWarnings.ts"
import { writeAnswers } from "./decisionAnswers.ts"
import type { DecisionResult, SignalboxDecisionModel } from "./DecisionModel.ts"
import { parseQuestions } from "./decisionQuestions.ts"
import { parseState } from "./decisionState.ts"
import { optionsKey, readOptions } from "./readOptions.ts"
import { type ModelContext, providerName, toCallOptions } from "./SignalboxInstance.ts"
import { decisionOptionNames } from "./SignalboxOptions.ts"
import { toCallError } from "./toCallError.ts"

export const makeDecisionModel = (
  modelId: string,
  context: ModelContext
): SignalboxDecisionModel => ({
  specificationVersion: "v4",
  provider: providerName,
  modelId,
  supportedQuestionTypes: ["boolean", "choice", "score"],
  doDecide: async ({
    abortSignal,
    headers,
    maxOutputTokens,
    providerOptions,
    questions,
    reasoning = "provider-default",
    state
  }): Promise<DecisionResult> => {
    const { caller, ...options } = readOptions(providerOptions, decisionOptionNames)
    const warnings = new CallWarnings()
    warnings.checkHeaders(headers)
    if (maxOutputTokens !== undefined) {
      warnings.unsupported("maxOutputTokens", "Decisions have answers of a fixed size.")
    }
    if (reasoning !== "provider-default" && reasoning !== "none") {
      warnings.unsupported("reasoning", "Decisions have no such setting.")
    }
    const route = new RouteLog()
    const request = {
      ...options,
      model: modelId,
      state: parseState(state),
      questions: parseQuestions(questions, warnings)
      // Signalbox checks the options, as it does with JSON.
    } as DecideRequest<Readonly<Record<string, Question>>>
    const startedAt = new Date()
    const decision = await context.instance
      .decide(
        request,
        toCallOptions(context, caller as CallerConfig | undefined, abortSignal, route.onRoute)
      )
      .catch((error: unknown) => {
        throw toCallError(error, "decide", request, route)
      })
    const { answers, id, model, provider, usage } = decision
    const served = provider === undefined ? route.findProvider() : { provider }
    return {
      answers: writeAnswers(answers),
      usage: { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
      warnings: warnings.list(route.metadata, { model: modelId, provider: served?.provider ?? "" }),
      providerMetadata: {
        [optionsKey]: toJson({
          generationId: id ?? route.generationId,
          model,
          ...served,
          ...writeCost(usage),
          answers,
          ...route.toRouting()
        })
      },
      response: { ...(id === undefined ? undefined : { id }), modelId: model, timestamp: startedAt }
    }
  }
})
