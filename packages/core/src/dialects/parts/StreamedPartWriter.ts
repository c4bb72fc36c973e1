/** Writes the events of a streamed answer as the parts of a library. */
import type { AnswerEnd, AnswerEvent } from "../../conversation/Answer.ts"
import type { Tool } from "../../conversation/Conversation.ts"
import type { AnswerBlock, EncryptedBlock, ThoughtBlock } from "../AnswerBlock.ts"
import { AnswerBlocks } from "../AnswerBlocks.ts"
import { commonNames, makeToolNames, type ToolNames } from "../ToolNames.ts"
import { type ReasoningMetadata, toReasoningMetadata, toSignatureMetadata } from "./partMetadata.ts"
import type { PartForms } from "./PartForms.ts"

/** A piece of a stream that may have several answers. */
export interface AnswerDelta {
  readonly choices: ReadonlyArray<{
    readonly index: number
    readonly events: ReadonlyArray<AnswerEvent>
    readonly end?: AnswerEnd
  }>
}

/** Writes one stream. A language model has one answer, so other choices are dropped. */
export class StreamedPartWriter<Common, Streamed> {
  readonly #forms: PartForms<Common, unknown, Streamed>
  readonly #names: ToolNames
  readonly #blocks = new AnswerBlocks({
    calls: "together",
    hasRefusals: true,
    holds: () => true,
    begin: (block) => this.#begin(block),
    extend: (block, text) => this.#extend(block, text),
    end: (block) => this.#endBlock(block),
    add: (event) => {
      if (event.type === "media") this.#pending.push(...this.#forms.writeMedia(event.media))
      if (event.type === "citation") this.#pending.push(...this.#forms.writeSource(event.citation))
    }
  })
  #pending: Array<Common | Streamed> = []
  /** The id of the last text or reasoning. */
  #id = ""
  #count = 0
  #end: AnswerEnd = { reason: null }

  /** `tools` are the request's tools, by whose names the parts name them. */
  constructor(forms: PartForms<Common, unknown, Streamed>, tools: ReadonlyArray<Tool>) {
    this.#forms = forms
    this.#names = makeToolNames(tools, commonNames)
  }

  /** The end of the answer, as far as it is known. */
  get answerEnd(): AnswerEnd {
    return this.#end
  }

  get hasCalls(): boolean {
    return this.#blocks.hasCalls
  }

  write({ choices }: AnswerDelta): ReadonlyArray<Common | Streamed> {
    for (const { end, events, index } of choices) {
      if (index !== 0) continue
      for (const event of events) this.#blocks.add(event)
      this.#end = { ...this.#end, ...end }
    }
    return this.#flush()
  }

  /** What is complete with the answer. */
  end(): ReadonlyArray<Common | Streamed> {
    this.#blocks.end()
    return this.#flush()
  }

  #flush(): ReadonlyArray<Common | Streamed> {
    const parts = this.#pending
    this.#pending = []
    return parts
  }

  #begin(block: AnswerBlock): void {
    switch (block.type) {
      case "text":
      case "refusal":
        this.#id = `text-${this.#count++}`
        this.#pending.push(this.#forms.startText(this.#id))
        return
      case "thought":
        return this.#beginReasoning(toMetadata(block))
      case "call":
        this.#pending.push(this.#forms.startCall(block.call.id, this.#toName(block.call.name)))
        return
      // Written when it is whole.
      case "encrypted":
    }
  }

  #beginReasoning(metadata: ReasoningMetadata): void {
    this.#id = `reasoning-${this.#count++}`
    this.#pending.push(this.#forms.startReasoning(this.#id, metadata))
  }

  #extend(block: AnswerBlock, delta: string): void {
    const { extendCall, extendReasoning, extendText } = this.#forms
    if (block.type === "call") this.#pending.push(extendCall(block.call.id, delta))
    else if (block.type === "thought") this.#pending.push(extendReasoning(this.#id, delta))
    else this.#pending.push(extendText(this.#id, delta))
  }

  #endBlock(block: AnswerBlock): void {
    const { endCall, endReasoning, endText, writeCall } = this.#forms
    switch (block.type) {
      case "text":
        this.#pending.push(endText(this.#id, toSignatureMetadata(block.signature)))
        return
      case "refusal":
        this.#pending.push(endText(this.#id, { refusal: true }))
        return
      // Libraries may keep the metadata of the last part alone.
      case "thought":
        this.#pending.push(endReasoning(this.#id, toMetadata(block)))
        return
      case "encrypted":
        this.#beginReasoning(toMetadata(block))
        this.#pending.push(endReasoning(this.#id, toMetadata(block)))
        return
      case "call": {
        const { args, call, signature } = block
        const { id, isCustom } = call
        const name = this.#toName(call.name)
        const whole = { id, name, arguments: args.text, ...(isCustom ? { isCustom } : undefined) }
        this.#pending.push(endCall(id), writeCall(whole, toSignatureMetadata(signature)))
      }
    }
  }

  #toName(written: string): string {
    return this.#names.fromDialect(written).name
  }
}

const toMetadata = (block: EncryptedBlock | ThoughtBlock): ReasoningMetadata => {
  const { encrypted, format, id } = block
  return toReasoningMetadata({
    format,
    ...(encrypted === "" ? undefined : { encrypted }),
    ...(id === undefined ? undefined : { id }),
    ...(block.type === "thought" && block.isSummary ? { isSummary: true } : undefined),
    ...(block.type === "thought" && block.signature !== ""
      ? { signature: block.signature }
      : undefined)
  })
}
