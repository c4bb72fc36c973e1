/** Chats at a provider with Google's API to generate content: Gemini, and the same models on Vertex. */
import type { ChatCapability } from "../../engine/upstreams/ChatCapability.ts"
import { type ChatDialect, type DialectEndpoint, makeDialectChat } from "../makeDialectChat.ts"
import { rememberModels } from "../rememberModels.ts"
import { toGeminiFailure } from "./findGeminiFailure.ts"
import { findGeminiModel, type GeminiModel, type GeminiModels } from "./GeminiModel.ts"
import { makeGeminiEventReader } from "./readEvents.ts"
import { parseGeminiAnswer } from "./readAnswer.ts"
import { passOnGemini } from "./passOnGemini.ts"
import { writeGeminiRequest } from "./writeRequest.ts"

/** The address of a provider, and its credential. */
export interface GeminiEndpoint extends Omit<
  DialectEndpoint,
  "dialect" | "getUrl" | "maxOutputTokens"
> {
  /** The URL under which the models are, such as `https://generativelanguage.googleapis.com/v1beta/models`. */
  readonly modelsUrl: string
  /** Facts about models, which take precedence over the built-in ones. */
  readonly models?: GeminiModels | undefined
  /** The maximum length of an answer in tokens, unless the call sets one. Default: the model's maximum. */
  readonly maxOutputTokens?: number | undefined
}

/**
 * Each call is one request to `{modelsUrl}/{model}:generateContent`, or to `:streamGenerateContent` for server-sent events.
 * Without `keyHeader` the key is sent as `Authorization: Bearer`. The API cannot forbid parallel calls, so that is left out.
 */
export const makeGeminiChat = (endpoint: GeminiEndpoint): ChatCapability => {
  const { maxOutputTokens, models, modelsUrl } = endpoint
  const findModel = rememberModels((model) => findGeminiModel(model, models))
  return makeDialectChat({
    ...endpoint,
    getUrl: (model, isStreamed) =>
      `${modelsUrl}/${encodeURIComponent(model)}:${isStreamed ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    maxOutputTokens: maxOutputTokens ?? ((model: string) => findModel(model).maxOutputTokens),
    dialect: makeGeminiDialect(findModel)
  })
}

const makeGeminiDialect = (findModel: (model: string) => GeminiModel): ChatDialect => ({
  writeRequest: (conversation, { model }, changes) => {
    const { needsSignatures, takesResultMedia, takesUrls, thinking } = findModel(model)
    return writeGeminiRequest(conversation, {
      changes,
      needsSignatures,
      takesResultMedia,
      takesUrls,
      thinking
    })
  },
  name: "gemini",
  // The URL names the model and the form of the answer.
  passOn: (body, call) => passOnGemini(body, call, findModel(call.model)),
  parseAnswer: parseGeminiAnswer,
  makeEventReader: makeGeminiEventReader,
  toFailure: toGeminiFailure,
  reasoningFamily: "google"
})
