/** A decision model of the AI SDK whose calls an instance routes. */
import type { DecideRequest, Question } from "@signalbox/core"
import { toJson, writeCost } from "./callMetadata.ts"
import { writeAnswers } from "./decisionAnswers.ts"
import type { DecisionResult, SignalboxDecisionModel } from "./DecisionModel.ts"
import { parseQuestions } from "./decisionQuestions.ts"
import { parseState } from "./decisionState.ts"
import { optionsKey } from "./readOptions.ts"
import { beginCall, type ModelContext, providerName } from "./SignalboxInstance.ts"
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
    maxOutputTokens,
    questions,
    reasoning = "provider-default",
    state,
    ...call
  }): Promise<DecisionResult> => {
    const { callOptions, options, route, warnings } = beginCall(context, call, decisionOptionNames)
    if (maxOutputTokens !== undefined) {
      warnings.unsupported("maxOutputTokens", "Decisions have answers of a fixed size.")
    }
    if (reasoning !== "provider-default" && reasoning !== "none") {
      warnings.unsupported("reasoning", "Decisions have no such setting.")
    }
    const request = {
      ...options,
      model: modelId,
      state: parseState(state),
      questions: parseQuestions(questions, warnings)
      // Signalbox checks the options, as it does with JSON.
    } as DecideRequest<Readonly<Record<string, Question>>>
    const startedAt = new Date()
    const decision = await context.instance.decide(request, callOptions).catch((error: unknown) => {
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
