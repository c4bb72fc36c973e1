/** Screens the answer of one request, and puts back into it what the request had. */
import type { AnswerEvent, StreamedCall } from "../../conversation/Answer.ts"
import type { Part, TextPart } from "../../conversation/Part.ts"
import type { Detection } from "../../engine/filters/Detector.ts"
import { findHold } from "../../engine/filters/findHold.ts"
import type { ContentFilter, FilterRule } from "../../engine/filters/FilterRule.ts"
import type { Placeholders } from "../../engine/filters/Placeholders.ts"
import { scan } from "../../engine/filters/scan.ts"
import { type FilterHit, findRule, screen } from "../../engine/filters/screen.ts"
import { applyEdits, TextSlots } from "../../engine/filters/TextSlot.ts"
import type {
  ChatChoice,
  ChatDelta,
  ChatDeltaEvent,
  ChatReply
} from "../../engine/upstreams/ChatCapability.ts"
import type { AnswerFilter, ContentBlocked, StreamFilter } from "./FilterReport.ts"
import { findBlock } from "./reportHits.ts"

interface ScreenOptions {
  readonly filters: ReadonlyArray<ContentFilter>
  readonly placeholders: Placeholders
  /** Adds what was found to the report of the request. */
  readonly report: (hits: ReadonlyArray<FilterHit>) => void
}

export class AnswerScreen implements AnswerFilter {
  readonly #options: ScreenOptions
  #blocked: ContentBlocked | undefined

  constructor(options: ScreenOptions) {
    this.#options = options
  }

  screen(reply: ChatReply): ChatReply {
    const { filters } = this.#options
    if (filters.length === 0) return reply
    const hits: Array<FilterHit> = []
    const choices = reply.choices.map((said): ChatChoice => {
      const choice = joinTexts(said)
      const slots = new TextSlots()
      slots.addContent(choice.answer, "parts", "answer", "assistant")
      const screened = screen(slots.slots, filters)
      hits.push(...screened.hits)
      if (screened.edits === undefined) return said
      // The probabilities of tokens spell the text.
      const { logprobs: _, ...answer } = applyEdits(choice.answer, screened.edits)
      return {
        index: choice.index,
        answer: { ...answer, parts: applyEdits(choice.answer.parts, screened.edits) }
      }
    })
    if (hits.length === 0) return reply
    this.#options.report(hits)
    const blocked = findBlock(hits)
    if (blocked !== undefined) this.#blocked = toAnswerBlock(blocked)
    const { native: _, ...rest } = reply
    return { ...rest, choices }
  }

  restore(reply: ChatReply): ChatReply {
    const { placeholders } = this.#options
    if (placeholders.isEmpty) return reply
    const { native: _, ...rest } = reply
    return {
      ...rest,
      choices: reply.choices.map(joinTexts).map(({ answer, index }) => ({
        index,
        answer: {
          ...answer,
          parts: answer.parts.map((part) => {
            if (part.type === "text") return { ...part, text: placeholders.restore(part.text) }
            if (part.type !== "call") return part
            const write = part.isCustom === true ? undefined : toJsonText
            return { ...part, arguments: placeholders.restore(part.arguments, write) }
          })
        }
      }))
    }
  }

  findBlock(): ContentBlocked | undefined {
    return this.#blocked
  }

  makeStreamScreen(): StreamFilter | undefined {
    const { filters, report } = this.#options
    return filters.length === 0
      ? undefined
      : new PieceFilter(() => new ScreenedText(filters, report))
  }

  makeStreamRestore(): StreamFilter | undefined {
    const { placeholders } = this.#options
    return placeholders.isEmpty ? undefined : new PieceFilter(() => new RestoredText(placeholders))
  }
}

/** Texts that follow each other are one, in which something may be split. */
const joinTexts = (choice: ChatChoice): ChatChoice => {
  const parts: Array<Part> = []
  for (const part of choice.answer.parts) {
    const last = parts.at(-1)
    if (part.type === "text" && last?.type === "text" && isPlain(part) && isPlain(last)) {
      parts[parts.length - 1] = { ...last, text: last.text + part.text }
    } else parts.push(part)
  }
  return parts.length === choice.answer.parts.length
    ? choice
    : { ...choice, answer: { ...choice.answer, parts } }
}

const isPlain = ({ citations, signature }: TextPart): boolean =>
  citations === undefined && signature === undefined

const toAnswerBlock = (blocked: ContentBlocked): ContentBlocked =>
  Object.assign(blocked, { isAnswer: true as const })

/** A content inside the quotes of a JSON string. */
const toJsonText = (content: string): string => JSON.stringify(content).slice(1, -1)

/** One text of an answer while it grows. */
interface GrowingText {
  /** Returns the characters that may be sent now; `call`: they are arguments of it. Undefined: nothing more may be sent. */
  readonly add: (
    text: string,
    isLast: boolean,
    call: StreamedCall | undefined
  ) => string | undefined
}

/** Keeps what was sent of a text, because it may be the beginning of a match or say what follows. */
const contextLength = 256

class ScreenedText implements GrowingText {
  readonly #filters: ReadonlyArray<ContentFilter>
  readonly #report: ScreenOptions["report"]
  #context = ""
  #held = ""

  constructor(filters: ReadonlyArray<ContentFilter>, report: ScreenOptions["report"]) {
    this.#filters = filters
    this.#report = report
  }

  add(text: string, isLast: boolean, call: StreamedCall | undefined): string | undefined {
    this.#held += text
    if (this.#held === "") return ""
    // The form of JSON is known when it is complete.
    if (call !== undefined) return isLast ? this.#screenWhole(call) : ""
    const begin = this.#context.length
    const window = this.#context + this.#held
    let until = isLast ? window.length : Math.max(begin, findHold(window, this.#filters, begin))
    // Nothing may be sent, so nothing is searched.
    if (until === begin) return ""
    const found = this.#find(window).filter(({ end }) => end > begin)
    for (const { end, start } of found)
      if (start < until && end > until) until = Math.max(begin, start)
    const over = found.filter(({ end }) => end <= until)
    this.#report(
      over.map(({ filter, kind, rule }) => ({
        filter,
        rule,
        path: "answer",
        ...(kind === undefined ? undefined : { kind })
      }))
    )
    if (over.some(({ rule }) => rule.action === "block")) return undefined
    let sent = ""
    let copied = begin
    for (const { end, rule, start } of over) {
      if (rule.action !== "redact" || end <= copied) continue
      sent += window.slice(copied, Math.max(copied, start)) + rule.placeholder
      copied = end
    }
    sent += window.slice(copied, until)
    this.#context = window.slice(Math.max(0, until - contextLength), until)
    this.#held = window.slice(until)
    return sent
  }

  #screenWhole({ isCustom }: StreamedCall): string | undefined {
    const holder = { text: this.#held }
    this.#held = ""
    const kind = isCustom ? "text" : "json"
    const slot = {
      holder,
      key: "text",
      kind,
      text: holder.text,
      role: "assistant",
      path: "answer",
      run: 0,
      isContinued: false
    } as const
    const { edits, hits } = screen([slot], this.#filters)
    this.#report(hits)
    if (hits.some(({ rule }) => rule.action === "block")) return undefined
    return edits === undefined ? holder.text : applyEdits(holder, edits).text
  }

  /** In the order of the text. */
  #find(
    text: string
  ): ReadonlyArray<Detection & { readonly filter: ContentFilter; readonly rule: FilterRule }> {
    const detectors = this.#filters.map(({ detect }) => detect)
    return scan(text, detectors)
      .flatMap((detections, at) => {
        const filter = this.#filters[at]!
        const rule = findRule(filter, "assistant")
        return rule === undefined ? [] : detections.map((each) => ({ ...each, filter, rule }))
      })
      .toSorted((a, b) => a.start - b.start || b.end - a.end)
  }
}

class RestoredText implements GrowingText {
  readonly #placeholders: Placeholders
  #held = ""

  constructor(placeholders: Placeholders) {
    this.#placeholders = placeholders
  }

  add(text: string, isLast: boolean, call: StreamedCall | undefined): string {
    const held = this.#held + text
    const until = isLast ? held.length : this.#placeholders.findPartial(held)
    this.#held = held.slice(until)
    const write = call === undefined || call.isCustom ? undefined : toJsonText
    return this.#placeholders.restore(held.slice(0, until), write)
  }
}

/** The text of a choice that is being said. */
interface OpenText {
  readonly kind: "call" | "refusal" | "text"
  readonly call: StreamedCall | undefined
  readonly text: GrowingText
}

/** Filters the pieces of a streamed answer, text by text. */
class PieceFilter implements StreamFilter {
  readonly #make: () => GrowingText
  readonly #open = new Map<number, OpenText>()
  /** Choices of which nothing more may be sent. */
  readonly #blocked = new Set<number>()

  constructor(make: () => GrowingText) {
    this.#make = make
  }

  push(pieces: ReadonlyArray<ChatDeltaEvent>): ReadonlyArray<ChatDeltaEvent> {
    return pieces.flatMap((piece) => {
      const { native: _, ...rest } = piece
      const choices = rest.choices.flatMap((choice) => this.#filterChoice(choice))
      return choices.length === 0 ? [] : [{ ...rest, choices }]
    })
  }

  flush(): ReadonlyArray<ChatDeltaEvent> {
    const choices = [...this.#open.keys()].flatMap((index): ReadonlyArray<ChatDelta> => {
      const events = this.#close(index)
      return events.length === 0 ? [] : [{ index, events }]
    })
    return choices.length === 0 ? [] : [{ type: "delta", choices }]
  }

  #filterChoice({ end, events, index }: ChatDelta): ReadonlyArray<ChatDelta> {
    const written = this.#blocked.has(index)
      ? []
      : events.flatMap((event) => this.#filterEvent(index, event))
    if (end !== undefined) written.push(...this.#close(index))
    if (end === undefined) return written.length === 0 ? [] : [{ index, events: written }]
    return [
      {
        index,
        events: written,
        end: this.#blocked.has(index) ? { ...end, reason: "content_filter" } : end
      }
    ]
  }

  #filterEvent(index: number, event: AnswerEvent): ReadonlyArray<AnswerEvent> {
    if (this.#blocked.has(index)) return []
    if (event.type !== "text" && event.type !== "refusal" && event.type !== "call") {
      return [...this.#close(index), event]
    }
    const open = this.#open.get(index)
    const call = event.type === "call" ? event.call : undefined
    const isSame = open !== undefined && open.kind === event.type && open.call === call
    const before = isSame ? [] : this.#close(index)
    const current: OpenText = isSame ? open : { kind: event.type, call, text: this.#make() }
    this.#open.set(index, current)
    const text = event.type === "refusal" ? event.refusal : event.text
    // The first event of a call says that it begins.
    const begin = event.type === "call" && !isSame ? [{ ...event, text: "" }] : []
    return [
      ...before,
      ...begin,
      ...this.#write(index, current, current.text.add(text, false, call))
    ]
  }

  #close(index: number): Array<AnswerEvent> {
    const open = this.#open.get(index)
    if (open === undefined) return []
    this.#open.delete(index)
    return this.#write(index, open, open.text.add("", true, open.call))
  }

  #write(index: number, { call, kind }: OpenText, text: string | undefined): Array<AnswerEvent> {
    if (text === undefined) {
      this.#blocked.add(index)
      this.#open.delete(index)
      return []
    }
    if (text === "") return []
    if (kind === "refusal") return [{ type: "refusal", refusal: text }]
    return call === undefined ? [{ type: "text", text }] : [{ type: "call", call, text }]
  }
}
