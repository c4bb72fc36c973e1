/** A language model of the AI SDK whose answers a test writes itself. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage
} from "@ai-sdk/provider"

export interface FakeModelOptions {
  readonly provider?: string
  readonly supportedUrls?: LanguageModelV4["supportedUrls"]
  readonly generate?: (
    options: LanguageModelV4CallOptions
  ) => Partial<LanguageModelV4GenerateResult> | Promise<Partial<LanguageModelV4GenerateResult>>
  readonly stream?: (
    options: LanguageModelV4CallOptions
  ) =>
    | ReadableStream<LanguageModelV4StreamPart>
    | Promise<ReadableStream<LanguageModelV4StreamPart>>
}

export interface FakeModel extends LanguageModelV4 {
  readonly calls: ReadonlyArray<LanguageModelV4CallOptions>
}

const unknownUsage: LanguageModelV4Usage = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined }
}

export const finish: Extract<LanguageModelV4StreamPart, { type: "finish" }> = {
  type: "finish",
  usage: unknownUsage,
  finishReason: { unified: "stop", raw: "end_turn" }
}

export const streamOf = (
  ...parts: ReadonlyArray<LanguageModelV4StreamPart>
): ReadableStream<LanguageModelV4StreamPart> => ReadableStream.from(parts)

export const makeFakeModel = ({
  generate = () => ({}),
  provider = "fake.chat",
  stream = () => streamOf(finish),
  supportedUrls = {}
}: FakeModelOptions = {}): FakeModel => {
  const calls: Array<LanguageModelV4CallOptions> = []
  return {
    specificationVersion: "v4",
    provider,
    modelId: "fake",
    supportedUrls,
    calls,
    doGenerate: async (options) => {
      calls.push(options)
      return {
        content: [{ type: "text", text: "Yes." }],
        finishReason: { unified: "stop", raw: "end_turn" },
        usage: unknownUsage,
        warnings: [],
        ...(await generate(options))
      }
    },
    doStream: async (options) => {
      calls.push(options)
      return { stream: await stream(options) }
    }
  }
}
