/** Reads the parts of a streamed answer of a model of the AI SDK. */
import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from "@ai-sdk/provider"
import {
  type AnswerEvent,
  getFreeText,
  makeToolFinder,
  type StreamedCall,
  type ToolFinder
} from "@signalbox/core/dialects"
import { type ChatEvent, type ChatMetadata, UpstreamFailure } from "@signalbox/core/upstream"
import { parseFile } from "./parseFile.ts"
import { parseFinish, toInvalid } from "./parseFinish.ts"
import { parseHead, type ReadOptions } from "./parseResult.ts"
import { parseUsage } from "./parseUsage.ts"
import { writeSignature } from "./providerMetadata.ts"
import { parseCitations, parseSource } from "./parseCitations.ts"

/** A call whose input is still coming, or has come. */
interface OpenCall {
  readonly call: StreamedCall
  hasInput: boolean
}

/** A thought that goes on. */
interface OpenThought {
  readonly key: string
  /** The metadata of the last part that has some. */
  metadata: SharedV4ProviderMetadata | undefined
}

export class PartReader {
  /** Whether the last part was read. */
  isDone = false
  #length = 0
  #thoughtCount = 0
  #hasContent = false
  #head: Pick<ChatMetadata, "id" | "model"> = {}
  readonly #calls = new Map<string, OpenCall>()
  /** Calls that the provider runs itself. */
  readonly #foreign = new Set<string>()
  readonly #thoughts = new Map<string, OpenThought>()
  /** The metadata of texts that go on. */
  readonly #texts = new Map<string, SharedV4ProviderMetadata>()
  readonly #findTool: ToolFinder
  readonly #options: ReadOptions & { readonly maxStreamLength: number }

  constructor(options: ReadOptions & { readonly maxStreamLength: number }) {
    this.#options = options
    this.#findTool = makeToolFinder(options.tools)
  }

  /** The events of a part; `stream-start` and `error` are handled elsewhere. */
  read(part: LanguageModelV4StreamPart): ReadonlyArray<ChatEvent> | UpstreamFailure {
    const { maxLength, maxStreamLength } = this.#options
    if ("delta" in part) {
      this.#length += part.delta.length
      if (part.delta.length > maxLength) return toInvalid(`a part exceeds ${maxLength} characters`)
      if (this.#length > maxStreamLength) {
        return toInvalid(`the stream exceeds ${maxStreamLength} characters`)
      }
    }
    if (part.type === "response-metadata") {
      this.#head = { ...this.#head, ...parseHead({ id: part.id, modelId: part.modelId }) }
      return []
    }
    if (part.type === "finish") return this.#finish(part)
    const events = this.#toEvents(part)
    if (events.length === 0) return []
    this.#hasContent = true
    return [{ type: "delta", choices: [{ index: 0, events }] }]
  }

  #finish({
    finishReason,
    usage
  }: Extract<LanguageModelV4StreamPart, { type: "finish" }>):
    | ReadonlyArray<ChatEvent>
    | UpstreamFailure {
    this.isDone = true
    const report = parseUsage(usage)
    const end = parseFinish(finishReason, {
      hasCalls: this.#calls.size > 0,
      hasContent: this.#hasContent,
      usage: report.usage
    })
    if (end instanceof UpstreamFailure) return end
    return [
      { type: "delta", choices: [{ index: 0, events: [], end }] },
      { type: "end", ...this.#head, ...report }
    ]
  }

  #toEvents(part: LanguageModelV4StreamPart): ReadonlyArray<AnswerEvent> {
    switch (part.type) {
      case "text-start":
      case "text-delta":
      case "text-end":
        return this.#readText(part)
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        return this.#readThought(part)
      case "tool-input-start":
        if (part.providerExecuted === true) this.#foreign.add(part.id)
        return part.providerExecuted === true ? [] : this.#startCall(part.id, part.toolName)
      case "tool-input-delta":
        return this.#continueCall(part.id, part.delta)
      case "tool-call":
        return this.#endCall(part)
      case "file":
        return parseFile(part).map((media) => ({ type: "media", media }))
      case "source":
        return parseSource(part).map((citation) => ({ type: "citation", citation }))
      // What the provider ran itself, and what only it knows, has no place in chat.
      case "custom":
      case "error":
      case "finish":
      case "ping":
      case "raw":
      case "reasoning-file":
      case "response-metadata":
      case "stream-start":
      case "tool-approval-request":
      case "tool-input-end":
      case "tool-result":
        return []
    }
    // A later version of the interface has parts of other types.
    return []
  }

  #readText(
    part: Extract<LanguageModelV4StreamPart, { type: "text-delta" | "text-end" | "text-start" }>
  ): ReadonlyArray<AnswerEvent> {
    const metadata = part.providerMetadata ?? this.#texts.get(part.id)
    if (part.type === "text-end") {
      this.#texts.delete(part.id)
      return [
        ...parseCitations(part.citations).map(
          (citation) => ({ type: "citation", citation }) as const
        ),
        ...this.#sign(metadata)
      ]
    }
    if (metadata !== undefined) this.#texts.set(part.id, metadata)
    return part.type === "text-start" || part.delta === ""
      ? []
      : [{ type: "text", text: part.delta }]
  }

  #readThought(
    part: Extract<
      LanguageModelV4StreamPart,
      { type: "reasoning-delta" | "reasoning-end" | "reasoning-start" }
    >
  ): ReadonlyArray<AnswerEvent> {
    const { format } = this.#options
    const thought = this.#thoughts.get(part.id) ?? {
      key: `thought ${this.#thoughtCount++}`,
      metadata: undefined
    }
    thought.metadata = part.providerMetadata ?? thought.metadata
    this.#thoughts.set(part.id, thought)
    const event = { type: "thought", key: thought.key, format, text: "", isSummary: false } as const
    if (part.type === "reasoning-delta" && part.delta !== "")
      return [{ ...event, text: part.delta }]
    if (part.type !== "reasoning-end") return []
    this.#thoughts.delete(part.id)
    const signature = writeSignature(thought.metadata, format)?.value
    return signature === undefined ? [] : [{ ...event, signature }]
  }

  #sign(
    metadata: SharedV4ProviderMetadata | undefined,
    callId?: string
  ): ReadonlyArray<AnswerEvent> {
    const signature = writeSignature(metadata, this.#options.format)
    if (signature === undefined) return []
    return [{ type: "signature", signature, ...(callId === undefined ? undefined : { callId }) }]
  }

  /** The input of a tool of free text is JSON, whose text is known at the end. */
  #startCall(id: string, written: string): ReadonlyArray<AnswerEvent> {
    const call = this.#openCall(id, written)
    return call.isCustom ? [] : [{ type: "call", call, text: "" }]
  }

  #openCall(id: string, written: string): StreamedCall {
    const { isCustom = false, name, namespace } = this.#findTool(written)
    const call = { id, name, namespace, isCustom }
    this.#calls.set(id, { call, hasInput: false })
    return call
  }

  #continueCall(id: string, delta: string): ReadonlyArray<AnswerEvent> {
    const open = this.#calls.get(id)
    if (open === undefined || open.call.isCustom || delta === "") return []
    open.hasInput = true
    return [{ type: "call", call: open.call, text: delta }]
  }

  #endCall({
    input,
    providerExecuted,
    providerMetadata,
    toolCallId: id,
    toolName
  }: Extract<LanguageModelV4StreamPart, { type: "tool-call" }>): ReadonlyArray<AnswerEvent> {
    if (providerExecuted === true || this.#foreign.has(id)) return []
    const signature = this.#sign(providerMetadata, id)
    const started = this.#calls.get(id)
    if (started !== undefined && !started.call.isCustom) {
      return [...(started.hasInput ? [] : this.#continueCall(id, input)), ...signature]
    }
    const call = started?.call ?? this.#openCall(id, toolName)
    const text = call.isCustom ? getFreeText(input) : input
    return [{ type: "call", call, text }, ...signature]
  }
}
