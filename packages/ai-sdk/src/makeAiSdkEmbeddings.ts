/** Embeddings by the models of the AI SDK. */
import type { EmbeddingModelV4 } from "@ai-sdk/provider"
import {
  type EmbeddingCall,
  type EmbeddingCapability,
  type EmbeddingTokenLimits,
  estimateEmbeddingWorstCase,
  Settings,
  UpstreamFailure
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import type {
  EmbeddingModelOfCredential,
  EmbeddingOptionsOf,
  EmbeddingSource
} from "./AiSdkModel.ts"
import { checkModel } from "./AiSdkModels.ts"
import { parseEmbeddings } from "./parseEmbeddings.ts"
import { runCode, runPromise, withTimeout } from "./runCode.ts"
import { WarningLog } from "./WarningLog.ts"

export interface AiSdkEmbeddingOptions {
  readonly slug: string
  readonly limits: EmbeddingTokenLimits
  readonly withCredential: EmbeddingModelOfCredential | undefined
  readonly embeddingOptions: EmbeddingOptionsOf | undefined
}

/** The AI SDK takes texts and `dimensions`. Anything else is an `unsupported_parameter`, and the model is not called. */
export const makeAiSdkEmbeddings = (
  source: EmbeddingSource,
  { embeddingOptions, limits, slug, withCredential }: AiSdkEmbeddingOptions
): EmbeddingCapability => {
  const log = new WarningLog(slug)

  const getModel = ({
    credential,
    model
  }: Pick<EmbeddingCall, "credential" | "model">): EmbeddingModelV4 => {
    if (credential !== undefined && withCredential !== undefined) {
      return checkModel(withCredential(model, credential))
    }
    return typeof source === "function" ? checkModel(source(model)) : source
  }

  const embed = Effect.fnUntraced(function* (call: EmbeddingCall) {
    const model = yield* runCode(() => getModel(call))
    const unsupported = findUnsupported(call, embeddingOptions !== undefined)
    if (unsupported !== undefined) {
      return yield* new UpstreamFailure({ kind: "unsupported_parameter", detail: unsupported })
    }
    const providerOptions = yield* runCode(() => embeddingOptions?.(call))
    const { bodyTimeoutMillis, headersTimeoutMillis } = yield* Settings
    const result = yield* withTimeout(
      runPromise(
        (abortSignal) =>
          model.doEmbed({
            values: call.inputs.filter((input) => typeof input === "string"),
            abortSignal,
            ...(call.dimensions === undefined ? undefined : { dimensions: call.dimensions }),
            ...(providerOptions === undefined ? undefined : { providerOptions })
          }),
        "headers"
      ),
      // The AI SDK does not say when the headers arrive.
      headersTimeoutMillis + bodyTimeoutMillis
    )
    const reply = yield* runCode(() => parseEmbeddings(result))
    yield* log.tellWarnings(call, result.warnings)
    return yield* Effect.fromResult(reply)
  })

  return {
    embed,
    maxInputs: (model) => {
      const { maxEmbeddingsPerCall: most } = getModel({ model })
      return typeof most === "number" ? most : undefined
    },
    estimateWorstCase: (call) => estimateEmbeddingWorstCase(call, limits),
    ...(withCredential === undefined ? { ignoresCredentials: true } : undefined)
  }
}

/** What the AI SDK cannot say; `embeddingOptions` of the host say the rest. */
const findUnsupported = (
  { inputs, inputType, parameters }: EmbeddingCall,
  hasOptions: boolean
): string | undefined => {
  if (inputs.some((input) => typeof input !== "string")) return "inputs that are not texts"
  if (hasOptions) return undefined
  return inputType === undefined ? Object.keys(parameters)[0] : "input_type"
}
