/** Puts the events of a streamed answer together to the parts of a whole one, at the same cost for each event. */
import type { AnswerEvent, StreamedCall } from "./Answer.ts"
import type { Citation, Part, Signature } from "./Part.ts"

type Draft<A> = A extends unknown ? { -readonly [K in keyof A]: A[K] } : never
type PartDraft = Draft<Exclude<Part, { readonly type: "result" }>>
type DraftOf<T extends PartDraft["type"]> = Extract<PartDraft, { type: T }>

/** Collects one answer. Texts and thoughts are joined while nothing else comes between. */
export class AnswerCollector {
  readonly #parts: Array<PartDraft> = []
  // Most answers are a text, so that each of these is made when it is needed.
  #calls: Map<StreamedCall, DraftOf<"call">> | undefined
  #thoughts: Map<string, DraftOf<"reasoning">> | undefined
  #citations: Map<DraftOf<"text">, Array<Citation>> | undefined
  /** By the ids of calls, which may begin after their signature. */
  #signatures: Map<string, Signature> | undefined
  #lastText: DraftOf<"text"> | undefined

  add(event: AnswerEvent): void {
    switch (event.type) {
      case "text":
        this.#text().text += event.text
        return
      case "refusal": {
        const last = this.#parts.at(-1)
        if (last?.type === "refusal") last.refusal += event.refusal
        else this.#parts.push({ type: "refusal", refusal: event.refusal })
        return
      }
      case "thought": {
        const thought = this.#thought(event.key, event.format, event.id)
        if (event.text !== "") thought.text = (thought.text ?? "") + event.text
        if (event.isSummary) thought.isSummary = true
        if (event.signature !== undefined) {
          thought.signature = (thought.signature ?? "") + event.signature
        }
        return
      }
      case "encrypted": {
        const thought = this.#thought(`${event.key} encrypted`, event.format, event.id)
        thought.encrypted = (thought.encrypted ?? "") + event.encrypted
        return
      }
      case "call":
        this.#call(event.call).arguments += event.text
        return
      case "signature":
        return this.#sign(event.signature, event.callId)
      case "media":
        this.#parts.push({ ...event.media })
        return
      case "citation":
        return this.#cite(event.citation)
      case "opaque":
        this.#parts.push({ ...event })
        return
    }
  }

  /** The parts of the answer so far. */
  toParts(): ReadonlyArray<Part> {
    return this.#parts.map((part) => {
      if (part.type === "call") {
        const signature = this.#signatures?.get(part.id)
        return signature === undefined ? { ...part } : { ...part, signature }
      }
      const citations = part.type === "text" ? this.#citations?.get(part) : undefined
      return citations === undefined ? { ...part } : { ...part, citations: [...citations] }
    })
  }

  #text(): DraftOf<"text"> {
    const last = this.#parts.at(-1)
    if (last?.type === "text") return last
    const text: DraftOf<"text"> = { type: "text", text: "" }
    this.#parts.push(text)
    this.#lastText = text
    return text
  }

  #thought(key: string, format: string, id: string | undefined): DraftOf<"reasoning"> {
    const thoughts = (this.#thoughts ??= new Map())
    let thought = thoughts.get(key)
    if (thought === undefined) {
      thought = { type: "reasoning", format }
      thoughts.set(key, thought)
      this.#parts.push(thought)
    }
    // Details that come late count too.
    thought.format = format
    if (id !== undefined) thought.id = id
    return thought
  }

  #call(streamed: StreamedCall): DraftOf<"call"> {
    const calls = (this.#calls ??= new Map())
    let call = calls.get(streamed)
    if (call === undefined) {
      const { id, isCustom, name, namespace } = streamed
      call = { type: "call", id, name, arguments: "" }
      if (isCustom) call.isCustom = true
      if (namespace !== undefined) call.namespace = namespace
      calls.set(streamed, call)
      this.#parts.push(call)
    }
    return call
  }

  #sign(signature: Signature, callId: string | undefined): void {
    if (callId === undefined) (this.#lastText ?? this.#text()).signature = signature
    else (this.#signatures ??= new Map()).set(callId, signature)
  }

  #cite(citation: Citation): void {
    const text = this.#lastText ?? this.#text()
    const citations = (this.#citations ??= new Map())
    const known = citations.get(text)
    if (known === undefined) citations.set(text, [citation])
    else known.push(citation)
  }
}
