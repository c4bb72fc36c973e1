/** Opens a stream of the AI SDK over a streamed chat. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult
} from "@ai-sdk/provider"
import type { ChatChunk } from "@signalbox/core/contract"
import { RouteLog, toJson, writeCost, writeUsage } from "./callMetadata.ts"
import { optionsKey } from "./readOptions.ts"
import { type ModelContext, toCallOptions } from "./SignalboxInstance.ts"
import { StreamWriter } from "./StreamWriter.ts"
import { toCallError } from "./toCallError.ts"
import type { PreparedChat } from "./toChatRequest.ts"
import { writeFinishReason } from "./writeFinishReason.ts"

/**
 * Resolves when an endpoint has sent the first piece of its answer, and rejects when none does: until then the router tries
 * the next one. What fails later is an `error` part, which a `finish` part follows.
 */
export const openStream = async (
  { caller, findTool, request, warnings }: PreparedChat,
  { abortSignal, includeRawChunks }: LanguageModelV4CallOptions,
  context: ModelContext
): Promise<LanguageModelV4StreamResult> => {
  const route = new RouteLog()
  const cancelled = new AbortController()
  const signal =
    abortSignal === undefined ? cancelled.signal : AbortSignal.any([abortSignal, cancelled.signal])
  const toError = (error: unknown): unknown => toCallError(error, "streamChat", request, route)
  const options = toCallOptions(context, caller, signal, route.onRoute)
  const chunks = context.instance.streamChat(request, options)[Symbol.asyncIterator]()
  const writer = new StreamWriter(findTool)
  const first = await chunks.next().catch((error: unknown) => {
    throw toError(error)
  })
  const opened = first.done === true ? undefined : first.value
  let last: ChatChunk | undefined

  const writeChunk = (chunk: ChatChunk): ReadonlyArray<LanguageModelV4StreamPart> => {
    last = chunk
    const parts = writer.write(chunk)
    return includeRawChunks === true ? [{ type: "raw", rawValue: chunk }, ...parts] : parts
  }
  const writeStart = (): ReadonlyArray<LanguageModelV4StreamPart> => [
    {
      type: "stream-start",
      warnings:
        opened === undefined
          ? warnings.list(undefined, { model: "", provider: "" })
          : warnings.list(route.metadata, opened)
    },
    ...(opened === undefined
      ? []
      : [
          {
            type: "response-metadata" as const,
            id: opened.id,
            modelId: opened.model,
            timestamp: new Date(opened.created * 1_000)
          },
          ...writeChunk(opened)
        ])
  ]
  const writeFinish = (isBroken: boolean): LanguageModelV4StreamPart => ({
    type: "finish",
    finishReason: isBroken
      ? { unified: "error", raw: undefined }
      : writeFinishReason(writer.finishReason, writer.nativeFinishReason, writer.hasCalls),
    usage: writeUsage(last?.usage),
    providerMetadata: {
      [optionsKey]: toJson({
        generationId: opened?.id ?? route.generationId,
        model: opened?.model,
        provider: opened?.provider,
        ...writeCost(last?.usage ?? {}),
        systemFingerprint: last?.system_fingerprint ?? undefined,
        serviceTier: last?.service_tier,
        ...route.toRouting()
      })
    }
  })

  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start: (controller) => {
      for (const part of writeStart()) controller.enqueue(part)
    },
    pull: async (controller) => {
      const push = (parts: ReadonlyArray<LanguageModelV4StreamPart>): void => {
        for (const part of parts) controller.enqueue(part)
      }
      try {
        // A chunk may say nothing that the AI SDK has a part for.
        for (;;) {
          const { done, value } = await chunks.next()
          if (done === true) {
            push([...writer.end(), writeFinish(false)])
            return controller.close()
          }
          const parts = writeChunk(value)
          if (parts.length > 0) return push(parts)
        }
      } catch (error) {
        if (abortSignal?.aborted === true) return controller.error(abortSignal.reason)
        push([{ type: "error", error: toError(error) }, writeFinish(true)])
        controller.close()
      }
    },
    cancel: async (reason) => {
      cancelled.abort(reason)
      await chunks.return?.().catch(() => undefined)
    }
  })
  return { stream, request: { body: request } }
}
