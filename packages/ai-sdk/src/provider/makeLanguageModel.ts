/** A language model of the AI SDK whose calls an instance routes. */
import type {
  LanguageModelV4,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult
} from "@ai-sdk/provider"
import { type ChatAnswer, toChatCompletion, writeParts } from "@signalbox/core/dialects"
import { RouteLog, writeChatMetadata, writeFinishReason, writeUsage } from "./callMetadata.ts"
import { openStream } from "./openStream.ts"
import { partForms } from "./partForms.ts"
import { prepareChat } from "./prepareChat.ts"
import { type ModelContext, providerName, toCallOptions } from "./SignalboxInstance.ts"
import { toCallError } from "./toCallError.ts"

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
    const { caller, conversation, fields, warnings } = prepareChat(modelId, options)
    const body = { ...fields, conversation }
    const route = new RouteLog()
    const callOptions = toCallOptions(context, caller, options.abortSignal, route.onRoute)
    let answer: ChatAnswer
    try {
      answer = await context.instance.answer(conversation, fields, callOptions)
    } catch (error) {
      throw toCallError(error, "chat", body, route)
    }
    const { id, model, reply, startedAt, usage } = answer
    const { end, hasCalls, logprobs, parts } = writeParts(reply, partForms, conversation.tools)
    return {
      content: parts,
      finishReason: writeFinishReason(end, hasCalls),
      usage: writeUsage(answer),
      providerMetadata: writeChatMetadata(answer, { marks: reply, usage }, route, logprobs),
      request: { body },
      response: {
        id,
        modelId: model,
        timestamp: new Date(startedAt),
        body: toChatCompletion(answer)
      },
      warnings: warnings.list(route.metadata, answer)
    }
  },
  doStream: (options): Promise<LanguageModelV4StreamResult> =>
    openStream(prepareChat(modelId, options), options, context)
})
