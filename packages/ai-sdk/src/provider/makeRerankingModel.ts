/** A reranking model of the AI SDK whose calls an instance routes. */
import type {
  JSONObject,
  RerankingModelV4,
  RerankingModelV4CallOptions,
  RerankingModelV4Result
} from "@ai-sdk/provider"
import type { Ranking, RerankRequest } from "@signalbox/core/contract"
import { toJson, writeCost } from "./callMetadata.ts"
import type { CallWarnings } from "./CallWarnings.ts"
import { optionsKey } from "./readOptions.ts"
import { beginCall, type ModelContext, providerName } from "./SignalboxInstance.ts"
import { rerankingOptionNames } from "./SignalboxOptions.ts"
import { toCallError } from "./toCallError.ts"

export const makeRerankingModel = (modelId: string, context: ModelContext): RerankingModelV4 => ({
  specificationVersion: "v4",
  provider: providerName,
  modelId,
  doRerank: async ({ documents, query, topN, ...call }): Promise<RerankingModelV4Result> => {
    const { callOptions, options, route, warnings } = beginCall(context, call, rerankingOptionNames)
    const request = {
      ...options,
      model: modelId,
      query,
      documents: writeDocuments(documents, warnings),
      ...(topN === undefined ? undefined : { top_n: topN })
      // Signalbox checks the options, as it does with JSON.
    } as RerankRequest
    let ranking: Ranking
    try {
      ranking = await context.instance.rerank(request, callOptions)
    } catch (error) {
      throw toCallError(error, "rerank", request, route)
    }
    const { id, model, provider, results, usage } = ranking
    return {
      ranking: results.map(({ index, relevance_score }) => ({
        index,
        relevanceScore: relevance_score
      })),
      providerMetadata: {
        [optionsKey]: toJson({
          generationId: id,
          model,
          provider,
          ...writeCost(usage),
          ...route.toRouting()
        })
      },
      response: { id, modelId: model, body: ranking },
      warnings: warnings.list(route.metadata, { model, provider })
    }
  }
})

/** An object of a text and an image is a document; the text of any other one is its JSON. */
const writeDocuments = (
  documents: RerankingModelV4CallOptions["documents"],
  warnings: CallWarnings
): ReadonlyArray<JSONObject | string> => {
  if (documents.type === "text") return documents.values
  if (documents.values.every(isDocument)) return documents.values
  warnings.compatible("object documents", "Each object was sent as its JSON.")
  return documents.values.map((value) => JSON.stringify(value))
}

const isDocument = (value: JSONObject): boolean => {
  const entries = Object.entries(value)
  return (
    entries.length > 0 &&
    entries.every(
      ([name, field]) => (name === "text" || name === "image") && typeof field === "string"
    )
  )
}
