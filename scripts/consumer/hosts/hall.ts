/** A model of the AI SDK. */
import type { LanguageModelV4 } from "@ai-sdk/provider"

export const hall: LanguageModelV4 = {
  specificationVersion: "v4",
  provider: "hall",
  modelId: "writer",
  supportedUrls: {},
  doGenerate: async () => ({
    content: [{ type: "text", text: "All is well." }],
    finishReason: { unified: "stop", raw: "stop" },
    usage: {
      inputTokens: { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 3, text: 3, reasoning: 0 }
    },
    warnings: []
  }),
  doStream: () => Promise.reject(new Error("nobody asks for a stream"))
}
