/** Says where the blocks of a streamed answer begin and end, at the same cost for each event. */
import type {
  AnswerEvent,
  EncryptedEvent,
  MediaEvent,
  OpaqueEvent,
  SignatureEvent,
  StreamedCall,
  ThoughtEvent
} from "../conversation/Answer.ts"
import type { Signature } from "../conversation/Part.ts"
import type {
  AnswerBlock,
  BlockRules,
  CallBlock,
  EncryptedBlock,
  TextBlock,
  ThoughtBlock
} from "./AnswerBlock.ts"
import { StreamedArguments } from "./chat/StreamedArguments.ts"

type Draft<A> = { -readonly [K in keyof A]: A[K] }
type OpenBlock =
  | Draft<CallBlock>
  | Draft<EncryptedBlock>
  | Draft<TextBlock>
  | Draft<ThoughtBlock>
  | { readonly type: "refusal" }

/** The blocks of one answer. Texts and thoughts end when something else begins. */
export class AnswerBlocks {
  readonly #rules: BlockRules
  /** The last block, unless it has ended; of calls only in turns. */
  #open: OpenBlock | undefined
  /** The calls that have not ended. */
  readonly #calls = new Map<StreamedCall, Draft<CallBlock>>()
  // Most answers have neither of these.
  #endedCalls: Set<StreamedCall> | undefined
  /** Signatures by the id of the call; the signature of a text is under undefined. */
  #signatures: Map<string | undefined, Signature> | undefined
  #signatureCount = 0
  readonly #queue: EventQueue | undefined

  constructor(rules: BlockRules) {
    this.#rules = rules
    this.#queue = rules.calls === "inTurn" ? new EventQueue() : undefined
  }

  get hasCalls(): boolean {
    return this.#calls.size > 0 || this.#endedCalls !== undefined
  }

  add(event: AnswerEvent): void {
    switch (event.type) {
      case "call":
        if (this.#endedCalls?.has(event.call) !== true) this.#addCall(event.call, event)
        return
      case "refusal":
        if (this.#rules.hasRefusals === true) return this.#accept(event)
        return this.#accept({ type: "text", text: event.refusal })
      case "opaque":
        if (this.#rules.hasOpaque === true) return this.#accept(event)
        if (event.text !== undefined) this.#accept({ type: "text", text: event.text })
        return
      case "signature":
        if (this.#rules.holds?.(event) !== true) return this.#accept(this.#toThought(event))
        if (event.callId === undefined) return this.#accept(event)
        return this.#hold(event)
      case "citation":
      case "encrypted":
      case "media":
      case "text":
      case "thought":
        return this.#accept(event)
    }
  }

  /** Ends the blocks that are still open. */
  end(): void {
    const queue = this.#queue
    for (let next = queue?.shift(); next !== undefined; next = queue?.shift()) this.#write(next)
    // A signature without a text of its own still goes back.
    if (this.#signatures?.has(undefined) === true && this.#open?.type !== "text") {
      this.#openText("text")
    }
    this.endOpen()
    for (const block of this.#calls.values()) this.#endCall(block)
  }

  /** Ends the text or thought that is open. */
  endOpen(): void {
    const open = this.#open
    this.#open = undefined
    if (open === undefined) return
    if (open.type === "call") return this.#endCall(open)
    if (open.type === "text") this.#sign(open, undefined)
    this.#rules.end(open)
  }

  #addCall(call: StreamedCall, event: AnswerEvent & { readonly type: "call" }): void {
    const block = this.#calls.get(call)
    if (block === undefined) return this.#accept(event)
    this.#extendCall(block, event.text)
    this.#writeQueue()
  }

  #accept(event: AnswerEvent): void {
    if (this.#queue === undefined) return this.#write(event)
    this.#queue.push(event)
    this.#writeQueue()
  }

  #writeQueue(): void {
    const queue = this.#queue
    for (let next = queue?.first(); next !== undefined; next = queue?.first()) {
      const isCall = next.type === "call"
      if (this.#open?.type === "call" && !this.#mayEnd(this.#open, isCall)) return
      const event = queue?.shift()
      if (event !== undefined) this.#write(event)
    }
  }

  #mayEnd(block: CallBlock, isCall: boolean): boolean {
    return this.#rules.mayEnd?.(block, isCall ? "call" : "other") ?? isWhole(block)
  }

  #write(event: AnswerEvent): void {
    switch (event.type) {
      case "text":
        return this.#rules.extend(this.#openText("text"), event.text)
      case "refusal":
        return this.#rules.extend(this.#openText("refusal"), event.refusal)
      case "thought":
        return this.#think(event)
      case "encrypted":
        return this.#addEncrypted(event)
      case "call":
        return this.#beginCall(event.call, event.text)
      case "media":
      case "opaque":
        return this.#addWhole(event)
      case "citation":
        return this.#rules.add(event, this.#open)
      case "signature":
        return this.#hold(event)
    }
  }

  #openText(type: "refusal" | "text"): AnswerBlock {
    if (this.#open?.type !== type) return this.#begin({ type })
    this.#endWholeCalls()
    return this.#open
  }

  #think({ format, id, isSummary, key, signature, text }: ThoughtEvent): void {
    let block = this.#open
    if (block?.type === "thought" && block.key === key) {
      block.format = format
      if (id !== undefined) block.id = id
      if (isSummary) block.isSummary = true
      if (signature !== undefined) block.signature += signature
    } else {
      block = { type: "thought", key, format, isSummary, signature: signature ?? "", encrypted: "" }
      if (id !== undefined) block.id = id
      this.#begin(block)
    }
    if (text !== "") this.#rules.extend(block, text)
  }

  #addEncrypted(event: EncryptedEvent): void {
    const { encrypted, format, id, key } = event
    const open = this.#open
    if (open?.type === "thought" && this.#rules.joins?.(open, event) === true) {
      open.encrypted += encrypted
      return
    }
    if (open?.type === "encrypted" && open.key === key) {
      open.encrypted += encrypted
      open.format = format
      if (id !== undefined) open.id = id
      return
    }
    const block: OpenBlock = { type: "encrypted", key, format, encrypted }
    if (id !== undefined) block.id = id
    this.#begin(block)
  }

  #beginCall(call: StreamedCall, text: string): void {
    const block: Draft<CallBlock> = { type: "call", call, args: new StreamedArguments() }
    this.#calls.set(call, block)
    this.#begin(block)
    if (this.#rules.calls !== "inTurn") this.#open = undefined
    this.#extendCall(block, text)
  }

  #extendCall(block: CallBlock, text: string): void {
    if (text === "") return
    block.args.add(text)
    this.#rules.extend(block, text)
  }

  #endCall(block: Draft<CallBlock>): void {
    this.#calls.delete(block.call)
    const ended = (this.#endedCalls ??= new Set())
    ended.add(block.call)
    this.#sign(block, block.call.id)
    this.#rules.end(block)
  }

  #hold({ callId, signature }: SignatureEvent): void {
    const signatures = (this.#signatures ??= new Map())
    signatures.set(callId, signature)
  }

  #sign(block: Draft<CallBlock> | Draft<TextBlock>, id: string | undefined): void {
    const signature = this.#signatures?.get(id)
    if (signature === undefined) return
    this.#signatures?.delete(id)
    block.signature = signature
  }

  #addWhole(event: MediaEvent | OpaqueEvent): void {
    this.endOpen()
    this.#endWholeCalls()
    this.#rules.add(event, undefined)
  }

  #begin(block: OpenBlock): AnswerBlock {
    this.endOpen()
    if (block.type !== "call") this.#endWholeCalls()
    this.#open = block
    this.#rules.begin(block)
    return block
  }

  /** In their order: what follows a call that is not whole is written after it. */
  #endWholeCalls(): void {
    if (this.#rules.calls !== "whole") return
    for (const block of this.#calls.values()) {
      if (!isWhole(block)) return
      this.#endCall(block)
    }
  }

  #toThought({ callId, signature }: SignatureEvent): EncryptedEvent {
    return {
      type: "encrypted",
      key: `signature ${this.#signatureCount++}`,
      format: signature.format,
      encrypted: signature.value,
      ...(callId === undefined ? undefined : { id: callId })
    }
  }
}

/** Any free text may go on; providers send such calls one after the other. */
const isWhole = ({ args, call }: CallBlock): boolean => call.isCustom || args.isWhole()

/** Queues events behind an unfinished call, in order; the events of one call are joined into one. */
class EventQueue {
  readonly #events: Array<AnswerEvent | undefined> = []
  readonly #texts = new Map<StreamedCall, Array<string>>()
  #at = 0

  push(event: AnswerEvent): void {
    if (event.type === "call") {
      const texts = this.#texts.get(event.call)
      if (texts !== undefined) {
        texts.push(event.text)
        return
      }
      this.#texts.set(event.call, [event.text])
    }
    this.#events.push(event)
  }

  first(): AnswerEvent | undefined {
    return this.#events[this.#at]
  }

  /** Removes the first event, and returns all of it. */
  shift(): AnswerEvent | undefined {
    const first = this.#events[this.#at]
    if (first === undefined) return undefined
    this.#events[this.#at++] = undefined
    if (this.#at === this.#events.length) {
      this.#events.length = 0
      this.#at = 0
    }
    if (first.type !== "call") return first
    const text = this.#texts.get(first.call)?.join("") ?? ""
    this.#texts.delete(first.call)
    return { ...first, text }
  }
}
