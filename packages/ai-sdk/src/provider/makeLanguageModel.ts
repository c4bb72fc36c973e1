/** A language model of the AI SDK whose calls an instance routes. */
import type {
  LanguageModelV4,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult
} from "@ai-sdk/provider"
import type { ChatCompletion } from "@signalbox/core/contract"
import { RouteLog, toJson, writeCost, writeUsage } from "./callMetadata.ts"
import { openStream } from "./openStream.ts"
import { optionsKey } from "./readOptions.ts"
import { type ModelContext, providerName, toCallOptions } from "./SignalboxInstance.ts"
import { toCallError } from "./toCallError.ts"
import { toChatRequest } from "./toChatRequest.ts"
import { writeContent } from "./writeContent.ts"
import { writeFinishReason } from "./writeFinishReason.ts"

/**
 * Endpoints fetch what URLs name, or refuse the call, and then the next one is tried. Chats have audio by its data alone, so
 * the AI SDK downloads that.
 */
const supportedUrls = Object.fromEntries(
  ["application/*", "image/*", "text/*", "video/*"].map((type) => [type, [/^https?:\/\//]])
)

export const makeLanguageModel = (modelId: string, context: ModelContext): LanguageModelV4 => ({
  specificationVersion: "v4",
  provider: providerName,
  modelId,
  supportedUrls,
  doGenerate: async (options): Promise<LanguageModelV4GenerateResult> => {
    const { caller, findTool, request, warnings } = toChatRequest(modelId, options)
    const route = new RouteLog()
    const callOptions = toCallOptions(context, caller, options.abortSignal, route.onRoute)
    let completion: ChatCompletion
    try {
      completion = await context.instance.chat(request, callOptions)
    } catch (error) {
      throw toCallError(error, "chat", request, route)
    }
    const { choices, created, id, model, provider, service_tier, system_fingerprint, usage } =
      completion
    const choice = choices.find(({ index }) => index === 0) ?? choices[0]
    const content = choice === undefined ? [] : writeContent(choice, findTool)
    return {
      content,
      finishReason: writeFinishReason(
        choice?.finish_reason ?? null,
        choice?.native_finish_reason ?? null,
        content.some(({ type }) => type === "tool-call")
      ),
      usage: writeUsage(usage),
      providerMetadata: {
        [optionsKey]: toJson({
          generationId: id,
          model,
          provider,
          ...writeCost(usage),
          systemFingerprint: system_fingerprint ?? undefined,
          serviceTier: service_tier,
          logprobs: choice?.logprobs ?? undefined,
          ...route.toRouting()
        })
      },
      request: { body: request },
      response: { id, modelId: model, timestamp: new Date(created * 1_000), body: completion },
      warnings: warnings.list(route.metadata, { model, provider })
    }
  },
  doStream: (options): Promise<LanguageModelV4StreamResult> =>
    openStream(toChatRequest(modelId, options), options, context)
})
