/** Opens a stream of the AI SDK over a streamed answer. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult
} from "@ai-sdk/provider"
import { type AnswerPiece, makeChunkWriter, StreamedPartWriter } from "@signalbox/core/dialects"
import { RouteLog, writeChatMetadata, writeFinishReason, writeUsage } from "./callMetadata.ts"
import { partForms } from "./partForms.ts"
import type { PreparedChat } from "./prepareChat.ts"
import { type ModelContext, toCallOptions } from "./SignalboxInstance.ts"
import { toCallError } from "./toCallError.ts"

type Parts = ReadonlyArray<LanguageModelV4StreamPart>

/**
 * Resolves when an endpoint has sent the first piece of its answer, and rejects when none does: until then the router tries
 * the next one. What fails later is an `error` part, which a `finish` part follows.
 */
export const openStream = async (
  { caller, conversation, fields, warnings }: PreparedChat,
  { abortSignal, includeRawChunks }: LanguageModelV4CallOptions,
  context: ModelContext
): Promise<LanguageModelV4StreamResult> => {
  const body = { ...fields, conversation }
  const route = new RouteLog()
  const cancelled = new AbortController()
  const signal =
    abortSignal === undefined ? cancelled.signal : AbortSignal.any([abortSignal, cancelled.signal])
  const toError = (error: unknown): unknown => toCallError(error, "streamChat", body, route)
  const options = toCallOptions(context, caller, signal, route.onRoute)
  const answered = context.instance.streamAnswer(conversation, fields, options)
  const pieces = answered[Symbol.asyncIterator]()
  const first = await pieces.next().catch((error: unknown) => {
    throw toError(error)
  })
  const head = first.done !== true && first.value.type === "start" ? first.value : undefined
  const toChunk = includeRawChunks === true && head !== undefined && makeChunkWriter(head)
  const writer = new StreamedPartWriter(partForms, conversation.tools)
  let end: Extract<AnswerPiece, { readonly type: "end" }> | undefined

  const writePiece = (piece: AnswerPiece): Parts => {
    if (piece.type === "start") return []
    const raw: Parts = toChunk ? [{ type: "raw", rawValue: toChunk(piece) }] : []
    if (piece.type === "delta") return [...raw, ...writer.write(piece)]
    end = piece
    return raw
  }
  const writeFinish = (isBroken: boolean): LanguageModelV4StreamPart => ({
    type: "finish",
    finishReason: isBroken
      ? { unified: "error", raw: undefined }
      : writeFinishReason(writer.answerEnd, writer.hasCalls),
    usage: writeUsage(end ?? {}),
    providerMetadata: writeChatMetadata(head ?? {}, end ?? {}, route)
  })

  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start: (controller) => {
      controller.enqueue({
        type: "stream-start",
        warnings: warnings.list(route.metadata, head ?? { model: "", provider: "" })
      })
      if (head === undefined) return
      const { id, model: modelId, startedAt } = head
      controller.enqueue({
        type: "response-metadata",
        id,
        modelId,
        timestamp: new Date(startedAt)
      })
    },
    pull: async (controller) => {
      const push = (parts: Parts): void => {
        for (const part of parts) controller.enqueue(part)
      }
      try {
        // A piece may say nothing that the AI SDK has a part for.
        for (;;) {
          const { done, value } = await pieces.next()
          if (done === true) {
            push([...writer.end(), writeFinish(false)])
            return controller.close()
          }
          const parts = writePiece(value)
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
      await pieces.return?.().catch(() => undefined)
    }
  })
  return { stream, request: { body } }
}
