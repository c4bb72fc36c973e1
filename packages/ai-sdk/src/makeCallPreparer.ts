/** Translates calls for models of the AI SDK. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  SharedV4ProviderOptions
} from "@ai-sdk/provider"
import {
  findLostFields,
  reportForeignParts,
  RequestChanges,
  type Tool,
  toUnsupported
} from "@signalbox/core/dialects"
import type { ChatCall, UpstreamFailure } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ProviderOptionsOf } from "./AiSdkModel.ts"
import type { AiSdkModels } from "./AiSdkModels.ts"
import { toReasoningFamily, toReasoningFormat } from "./providerMetadata.ts"
import { runCode, runPromise } from "./runCode.ts"
import type { WarningLog } from "./WarningLog.ts"
import { writeCallOptions } from "./writeCallOptions.ts"

/** A model, what it is called with, and how its answer is read. */
export interface PreparedCall {
  readonly model: LanguageModelV4
  readonly options: LanguageModelV4CallOptions
  readonly tools: ReadonlyArray<Tool>
  /** The format of reasoning and signatures. */
  readonly format: string
}

export interface PreparerOptions {
  readonly models: AiSdkModels
  readonly log: WarningLog
  readonly providerOptions: SharedV4ProviderOptions | ProviderOptionsOf | undefined
  /** Used if the call has no cap. */
  readonly assumedOutputTokens: number
}

/** A call that the AI SDK cannot express is an `unsupported_parameter`, and the model is not called. */
export const makeCallPreparer = ({
  assumedOutputTokens,
  log,
  models,
  providerOptions
}: PreparerOptions): ((call: ChatCall) => Effect.Effect<PreparedCall, UpstreamFailure>) =>
  Effect.fnUntraced(function* (call) {
    const model = yield* runCode(() => models.getModel(call))
    const conversation = yield* Effect.fromResult(call.conversation)
    const changes = new RequestChanges()
    const written = writeCallOptions(conversation, {
      changes,
      providerName: model.provider.split(".", 1)[0] ?? "",
      supportedUrls: yield* runPromise(async () => await model.supportedUrls, "connect"),
      reasoningFamily: toReasoningFamily(model.provider),
      maxOutputTokens: call.maxOutputTokens,
      assumedOutputTokens
    })
    if (Result.isFailure(written)) return yield* toUnsupported(written.failure)
    const { options } = written.success
    const dropped = Array.from(
      new Set([
        ...written.success.dropped,
        ...findLostFields(call.native, "ai-sdk", { ...options })
      ])
    )
    // For requests of other APIs the plan has already reported the losses.
    if (call.native.dialect === "chat") reportForeignParts(conversation, undefined, changes)
    const changed = [...dropped, ...(changes.list() ?? [])]
    // Throws for a request that refuses to lose any.
    if (changed.length > 0) yield* runCode(() => call.onChange?.(changed))
    const { onBody } = call
    if (onBody !== undefined) yield* runCode(() => onBody(JSON.parse(JSON.stringify(options))))
    yield* log.logDropped(call.model, dropped)
    const own = yield* runCode(() =>
      typeof providerOptions === "function" ? providerOptions(call) : providerOptions
    )
    return {
      model,
      options: own === undefined ? options : { ...options, providerOptions: own },
      tools: conversation.tools,
      format: toReasoningFormat(model.provider)
    }
  })
