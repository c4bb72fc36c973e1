/** An embedding model of the AI SDK whose calls an instance routes. */
import type { EmbeddingModelV4, EmbeddingModelV4Result } from "@ai-sdk/provider"
import type { EmbeddingList, EmbeddingRequest } from "@signalbox/core/contract"
import { toJson, writeCost } from "./callMetadata.ts"
import { optionsKey } from "./readOptions.ts"
import { beginCall, type ModelContext, providerName } from "./SignalboxInstance.ts"
import { embeddingOptionNames } from "./SignalboxOptions.ts"
import { toCallError } from "./toCallError.ts"

/** The default of `settings.maxEmbeddingInputs`; the router splits them for endpoints that take fewer at once. */
const maxEmbeddingsPerCall = 2_048

export const makeEmbeddingModel = (modelId: string, context: ModelContext): EmbeddingModelV4 => ({
  specificationVersion: "v4",
  provider: providerName,
  modelId,
  maxEmbeddingsPerCall,
  supportsParallelCalls: true,
  doEmbed: async ({ dimensions, values, ...call }): Promise<EmbeddingModelV4Result> => {
    const { callOptions, options, route, warnings } = beginCall(context, call, embeddingOptionNames)
    const request = {
      ...options,
      model: modelId,
      input: values,
      ...(dimensions === undefined ? undefined : { dimensions })
      // Signalbox checks the options, as it does with JSON.
    } as EmbeddingRequest<"float">
    let list: EmbeddingList<"float">
    try {
      list = await context.instance.embed(request, callOptions)
    } catch (error) {
      throw toCallError(error, "embed", request, route)
    }
    const { data, id, model, usage } = list
    const served = route.findProvider()
    return {
      embeddings: data.map(({ embedding }) => Array.from(embedding)),
      usage: { tokens: usage.prompt_tokens },
      providerMetadata: {
        [optionsKey]: toJson({
          generationId: id,
          model,
          ...served,
          ...writeCost(usage),
          ...route.toRouting()
        })
      },
      response: { body: { id, model, usage } },
      warnings: warnings.list(route.metadata, { model, provider: served?.provider ?? "" })
    }
  }
})
