/** Reads the parts of a streamed answer of a model of the AI SDK. */
import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from "@ai-sdk/provider"
import {
  type CalledTool,
  getFreeText,
  makeToolFinder,
  type ToolFinder,
  writeImage
} from "@signalbox/core/dialects"
import {
  type ChatDelta,
  type ChatEvent,
  type ChatMetadata,
  UpstreamFailure
} from "@signalbox/core/upstream"
import { parseFile } from "./parseFile.ts"
import { parseFinish, toInvalid } from "./parseFinish.ts"
import { parseHead, type ReadOptions } from "./parseResult.ts"
import { parseUsage } from "./parseUsage.ts"
import { writeSignature } from "./providerMetadata.ts"
import { writeAnnotation, writeCitations } from "./writeAnnotation.ts"

type Delta = ChatDelta["delta"]

/** A call whose input is still coming, or has come. */
interface OpenCall extends CalledTool {
  readonly index: number
  hasInput: boolean
}

/** A thought that goes on. */
interface OpenThought {
  /** Of its reasoning details. */
  readonly index: number
  /** That of the last part that has some. */
  metadata: SharedV4ProviderMetadata | undefined
}

export class PartReader {
  /** Whether the last part was read. */
  isDone = false
  #length = 0
  #details = 0
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

  /** The events of a part; those of `stream-start` and `error` are not for this reader. */
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
    const deltas = this.#toDeltas(part).filter((delta) => Object.keys(delta).length > 0)
    if (deltas.length > 0) this.#hasContent = true
    return deltas.map((delta) => ({
      type: "delta",
      choices: [{ index: 0, delta, finishReason: null }]
    }))
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
    const { nativeReason, reason } = end
    const choice: ChatDelta = {
      index: 0,
      delta: {},
      finishReason: reason,
      ...(nativeReason === undefined ? undefined : { nativeFinishReason: nativeReason })
    }
    return [
      { type: "delta", choices: [choice] },
      { type: "end", ...this.#head, ...report }
    ]
  }

  #toDeltas(part: LanguageModelV4StreamPart): ReadonlyArray<Delta> {
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
        return parseFile(part).map((image) => ({ images: writeImage(image) }))
      case "source": {
        const annotations = writeAnnotation(part)
        return annotations.length === 0 ? [] : [{ annotations }]
      }
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
  ): ReadonlyArray<Delta> {
    const metadata = part.providerMetadata ?? this.#texts.get(part.id)
    if (part.type === "text-end") {
      this.#texts.delete(part.id)
      const annotations = writeCitations(part.citations)
      return [...(annotations.length === 0 ? [] : [{ annotations }]), this.#sign(metadata)]
    }
    if (metadata !== undefined) this.#texts.set(part.id, metadata)
    return part.type === "text-start" || part.delta === "" ? [] : [{ content: part.delta }]
  }

  #readThought(
    part: Extract<
      LanguageModelV4StreamPart,
      { type: "reasoning-delta" | "reasoning-end" | "reasoning-start" }
    >
  ): ReadonlyArray<Delta> {
    const { format } = this.#options
    const thought = this.#thoughts.get(part.id) ?? { index: this.#details++, metadata: undefined }
    thought.metadata = part.providerMetadata ?? thought.metadata
    this.#thoughts.set(part.id, thought)
    const { index } = thought
    if (part.type === "reasoning-delta" && part.delta !== "") {
      const { delta } = part
      const detail = { type: "reasoning.text", text: delta, format, index }
      return [{ reasoning: delta, reasoning_details: [detail] }]
    }
    if (part.type !== "reasoning-end") return []
    this.#thoughts.delete(part.id)
    const signature = writeSignature(thought.metadata, format)?.value
    return signature === undefined
      ? []
      : [{ reasoning_details: [{ type: "reasoning.text", text: "", signature, format, index }] }]
  }

  /** The signature of a call, or of a text, is a detail of its own. */
  #sign(metadata: SharedV4ProviderMetadata | undefined, id?: string): Delta {
    const { format } = this.#options
    const signature = writeSignature(metadata, format)
    if (signature === undefined) return {}
    return {
      reasoning_details: [
        {
          type: "reasoning.encrypted",
          data: signature.value,
          ...(id === undefined ? undefined : { id }),
          format,
          index: this.#details++
        }
      ]
    }
  }

  #startCall(id: string, written: string): ReadonlyArray<Delta> {
    const tool = this.#findTool(written)
    const index = this.#calls.size
    this.#calls.set(id, { ...tool, index, hasInput: false })
    // Its input is JSON, whose text is known at the end.
    return tool.isCustom === true
      ? []
      : [{ tool_calls: [{ index, id, ...writeFunction(tool, "") }] }]
  }

  #continueCall(id: string, delta: string): ReadonlyArray<Delta> {
    const call = this.#calls.get(id)
    if (call === undefined || call.isCustom === true || delta === "") return []
    call.hasInput = true
    return [{ tool_calls: [{ index: call.index, function: { arguments: delta } }] }]
  }

  #endCall({
    input,
    providerExecuted,
    providerMetadata,
    toolCallId: id,
    toolName
  }: Extract<LanguageModelV4StreamPart, { type: "tool-call" }>): ReadonlyArray<Delta> {
    if (providerExecuted === true || this.#foreign.has(id)) return []
    const signature = this.#sign(providerMetadata, id)
    const started = this.#calls.get(id)
    if (started !== undefined && started.isCustom !== true) {
      return [...(started.hasInput ? [] : this.#continueCall(id, input)), signature]
    }
    const tool = this.#findTool(toolName)
    const index = started?.index ?? this.#calls.size
    this.#calls.set(id, { ...tool, index, hasInput: true })
    const written =
      tool.isCustom === true
        ? { type: "custom", custom: { name: tool.name, input: getFreeText(input) } }
        : writeFunction(tool, input)
    return [{ tool_calls: [{ index, id, ...written }] }, signature]
  }
}

const writeFunction = ({ name, namespace }: CalledTool, input: string) => ({
  type: "function",
  function: { name, arguments: input },
  ...(namespace === undefined ? undefined : { namespace })
})
