/** Chats with the models of the AI SDK: conversations are translated to its calls, and answers from its parts. */
import {
  type ChatCall,
  type ChatCapability,
  type ChatEvent,
  type ChatTokenLimits,
  estimateChatWorstCase,
  type Push,
  Settings,
  type UpstreamFailure
} from "@signalbox/core/upstream"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { AiSdkModel, ModelOfCredential } from "./AiSdkModel.ts"
import { AiSdkModels } from "./AiSdkModels.ts"
import { makeCallPreparer, type PreparerOptions } from "./makeCallPreparer.ts"
import { OpenStream } from "./OpenStream.ts"
import { parseResult } from "./parseResult.ts"
import { PartReader } from "./PartReader.ts"
import { toReasoningFamily } from "./providerMetadata.ts"
import { pumpParts } from "./pumpParts.ts"
import { runCode, runPromise, withTimeout } from "./runCode.ts"
import { toAiSdkFailure } from "./toAiSdkFailure.ts"
import { WarningLog } from "./WarningLog.ts"

export interface AiSdkChatOptions extends Pick<PreparerOptions, "providerOptions"> {
  readonly slug: string
  readonly limits: ChatTokenLimits
  readonly withCredential: ModelOfCredential | undefined
}

export const makeAiSdkChat = (
  model: AiSdkModel,
  { limits, providerOptions, slug, withCredential }: AiSdkChatOptions
): ChatCapability => {
  const models = new AiSdkModels(model, withCredential)
  const log = new WarningLog(slug)
  const prepare = makeCallPreparer({
    models,
    log,
    providerOptions,
    assumedOutputTokens: limits.maxOutputTokens
  })

  const complete = Effect.fnUntraced(function* (call: ChatCall) {
    const { format, model: found, options, tools } = yield* prepare(call)
    const { bodyTimeoutMillis, headersTimeoutMillis, maxUpstreamBodyBytes } = yield* Settings
    const result = yield* withTimeout(
      runPromise((abortSignal) => found.doGenerate({ ...options, abortSignal }), "headers"),
      // The AI SDK does not say when the headers arrive.
      headersTimeoutMillis + bodyTimeoutMillis
    )
    const reply = yield* runCode(() =>
      parseResult(result, { tools, format, maxLength: maxUpstreamBodyBytes })
    )
    yield* log.tellWarnings(call, result.warnings)
    return yield* Effect.fromResult(reply)
  })

  const run = Effect.fnUntraced(function* (
    call: ChatCall,
    push: Push<ChatEvent>,
    stream: OpenStream
  ) {
    const { format, model: found, options, tools } = yield* prepare(call)
    const { headersTimeoutMillis, maxStreamBytes, maxUpstreamBodyBytes } = yield* Settings
    const clock = yield* Clock.Clock
    const parts = yield* withTimeout(
      runPromise(() => stream.open(found, options), "headers"),
      headersTimeoutMillis
    )
    const limited = { maxLength: maxUpstreamBodyBytes, maxStreamLength: maxStreamBytes }
    const reader = new PartReader({ tools, format, ...limited })
    let logged = Effect.void
    const toFailure = (error: unknown): UpstreamFailure =>
      toAiSdkFailure(error, "body", clock.currentTimeMillisUnsafe())
    const pumped = pumpParts(parts, {
      read: (part) => {
        if (part.type === "error") return toFailure(part.error)
        if (part.type === "stream-start") logged = log.tellWarnings(call, part.warnings)
        return reader.read(part)
      },
      isDone: () => reader.isDone,
      toFailure,
      push
    })
    yield* Effect.onExit(pumped, () => logged)
  })

  return {
    complete,
    stream: (call) => ({
      run: (push) =>
        Effect.suspend(() => {
          const stream = new OpenStream()
          return Effect.onExit(run(call, push, stream), () => Effect.sync(() => stream.close()))
        })
    }),
    estimateWorstCase: (call) => estimateChatWorstCase(call, limits),
    reasoningFamily: (name) => {
      const provider = models.findProvider(name)
      return provider === undefined ? undefined : toReasoningFamily(provider)
    },
    ...(withCredential === undefined ? { ignoresCredentials: true } : undefined)
  }
}
