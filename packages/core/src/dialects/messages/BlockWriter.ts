/** Writes the content blocks of a streamed message: one after the other, each started, continued and stopped. */
import type { EncryptedEvent } from "../../conversation/Answer.ts"
import type { Citation } from "../../conversation/Part.ts"
import { findJson, isObject } from "../../values/json/guards.ts"
import type { AnswerBlock, BlockRules, CallBlock, ThoughtBlock } from "../AnswerBlock.ts"
import type { ToolFinder } from "../CalledTool.ts"
import type { NamedEvent } from "../NamedEvent.ts"
import { writeCitations } from "./citations.ts"
import { isAnthropicFormat, writeRedactedThinking, writeSignature } from "./thinkingBlocks.ts"

/** The pieces of one input; together they are a JSON object, unless the model's arguments were cut. */
interface InputWriter {
  /** The piece to send for the next piece of the arguments; may be empty. */
  readonly push: (text: string) => string
  /** The last piece; may be empty. */
  readonly end: () => string
  readonly hasStarted: () => boolean
  /** Whether the object is closed, so that nothing can follow. */
  readonly isComplete: () => boolean
}

/** Arguments that are JSON already. Those that are no object are held back until their end. */
const makeJsonInputWriter = (): InputWriter => {
  let state: "before" | "complete" | "object" | "other" = "before"
  const held: Array<string> = []
  let depth = 0
  let isInString = false
  let isEscaped = false

  /** The part of the text that belongs to the object. */
  const scan = (text: string): string => {
    for (let at = 0; at < text.length; at++) {
      const character = text[at]
      if (isEscaped) isEscaped = false
      else if (isInString) {
        if (character === "\\") isEscaped = true
        else if (character === '"') isInString = false
      } else if (character === '"') isInString = true
      else if (character === "{" || character === "[") depth++
      else if ((character === "}" || character === "]") && --depth === 0) {
        state = "complete"
        return text.slice(0, at + 1)
      }
    }
    return text
  }

  return {
    push: (text) => {
      const added = state === "before" ? text.trimStart() : text
      if (added === "") return ""
      if (state === "before") state = added.startsWith("{") ? "object" : "other"
      if (state === "other") {
        held.push(added)
        return ""
      }
      // Some providers repeat all arguments at the end.
      return state === "object" ? scan(added) : ""
    },
    end: () => (state === "other" ? toObjectText(held.join("")) : ""),
    hasStarted: () => state !== "before",
    isComplete: () => state === "complete"
  }
}

/** Some providers say `null` where there are no arguments. */
const toObjectText = (text: string): string => {
  const json = findJson(text)
  if (json === null) return "{}"
  if (isObject(json)) return text
  return JSON.stringify({ invalid_arguments: text })
}

/** Free text, which becomes the only argument of a function. */
const makeTextInputWriter = (): InputWriter => {
  let hasStarted = false
  return {
    push: (text) => {
      const opening = hasStarted ? "" : '{"input":"'
      hasStarted = true
      return opening + JSON.stringify(text).slice(1, -1)
    },
    end: () => (hasStarted ? '"}' : '{"input":""}'),
    hasStarted: () => hasStarted,
    // Any text may go on; providers send such calls one after the other.
    isComplete: () => true
  }
}

type Json = Readonly<Record<string, unknown>>

export class BlockWriter implements BlockRules {
  readonly calls = "inTurn"
  private readonly findTool: ToolFinder
  private index = -1
  /** The input of the last call. */
  private input: InputWriter = makeJsonInputWriter()
  private readonly events: Array<NamedEvent> = []
  private readonly late: Array<Citation> = []
  /** The number of characters of the answer so far. */
  characters = 0

  constructor(findTool: ToolFinder) {
    this.findTool = findTool
  }

  /** The events since the last call. */
  takeEvents(): ReadonlyArray<NamedEvent> {
    return this.events.splice(0)
  }

  /** Ending a call early could cut its arguments. A call without arguments may end at any time. */
  mayEnd(_: CallBlock, next: "call" | "other"): boolean {
    return this.input.isComplete() || (next === "other" && !this.input.hasStarted())
  }

  /** Encrypted reasoning goes with the open text of the same item. */
  joins(thought: ThoughtBlock, { format, id }: EncryptedEvent): boolean {
    return (
      id !== undefined &&
      thought.id === id &&
      thought.format === format &&
      !isAnthropicFormat(format)
    )
  }

  begin(block: AnswerBlock): void {
    switch (block.type) {
      case "text":
      case "refusal":
        return this.start({ type: "text", text: "", citations: null })
      case "thought":
        return this.start({ type: "thinking", thinking: "", signature: "" })
      // Written when it is whole.
      case "encrypted":
        return
      case "call": {
        const { id, isCustom, name } = block.call
        this.input = isCustom ? makeTextInputWriter() : makeJsonInputWriter()
        return this.start({ type: "tool_use", id, name: this.findTool(name).name, input: {} })
      }
    }
  }

  extend(block: AnswerBlock, text: string): void {
    this.characters += text.length
    if (block.type === "call") this.sendInput(this.input.push(text))
    else if (block.type === "thought") this.sendDelta({ type: "thinking_delta", thinking: text })
    else this.sendDelta({ type: "text_delta", text })
  }

  /** Citations are of the open text; those that come when it has ended get a text of their own at the end. */
  add(event: Parameters<BlockRules["add"]>[0], open: AnswerBlock | undefined): void {
    if (event.type !== "citation") return
    if (open?.type === "text") this.sendCitations([event.citation])
    else this.late.push(event.citation)
  }

  /** Ends the answer, whose blocks have ended. */
  finish(): void {
    if (this.late.length === 0) return
    this.start({ type: "text", text: "", citations: null })
    this.sendCitations(this.late)
    this.events.push({ type: "content_block_stop", index: this.index })
  }

  private sendCitations(cited: ReadonlyArray<Citation>): void {
    for (const citation of writeCitations(cited)) {
      this.sendDelta({ type: "citations_delta", citation })
    }
  }

  end(block: AnswerBlock): void {
    if (block.type === "call") this.sendInput(this.input.end())
    else if (block.type === "thought") {
      const signature = writeSignature({
        format: block.format,
        ...(block.id === undefined ? undefined : { id: block.id }),
        ...(block.isSummary ? { isSummary: true } : undefined),
        ...(block.signature === "" ? undefined : { signature: block.signature }),
        ...(block.encrypted === "" ? undefined : { encrypted: block.encrypted })
      })
      if (signature !== "") this.sendDelta({ type: "signature_delta", signature })
    } else if (block.type === "encrypted") {
      const { encrypted, format, id } = block
      this.start(
        writeRedactedThinking({ format, encrypted, ...(id === undefined ? undefined : { id }) })
      )
    }
    this.events.push({ type: "content_block_stop", index: this.index })
  }

  private start(block: Json): void {
    this.index++
    this.events.push({ type: "content_block_start", index: this.index, content_block: block })
  }

  private sendDelta(delta: Json): void {
    this.events.push({ type: "content_block_delta", index: this.index, delta })
  }

  private sendInput(text: string): void {
    if (text !== "") this.sendDelta({ type: "input_json_delta", partial_json: text })
  }
}
