/** Reads the thoughts of a streamed answer of OpenAI's Responses API. */
import type { EncryptedEvent, ThoughtEvent } from "../../conversation/Answer.ts"
import type { ReasoningFormat } from "../../conversation/Part.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { findIndex, findNonEmptyText, type Json } from "./fields.ts"

export class ThoughtReader {
  readonly #format: ReasoningFormat
  readonly #keys = new Set<string>()

  constructor(format: ReasoningFormat) {
    this.#format = format
  }

  /** How many thoughts have been read. */
  get size(): number {
    return this.#keys.size
  }

  readSummary(event: Json, text: string): ThoughtEvent {
    const place = `summary ${findIndex(event["summary_index"]) ?? 0}`
    return { type: "thought", ...this.#identify(event, place), text, isSummary: true }
  }

  readText(event: Json, text: string): ThoughtEvent {
    const place = `text ${findIndex(event["content_index"]) ?? 0}`
    return { type: "thought", ...this.#identify(event, place), text, isSummary: false }
  }

  /** A finished item, whose texts count if none came before. */
  readItem(event: Json, item: Json, isNew: boolean): ReadonlyArray<EncryptedEvent | ThoughtEvent> {
    const texts = (name: string) =>
      toList(item[name]).flatMap((part, index) => {
        const text = isObject(part) ? findNonEmptyText(part["text"]) : undefined
        return text === undefined ? [] : [{ index, text }]
      })
    const whole = isNew
      ? [
          ...texts("summary").map(({ index, text }) =>
            this.readSummary({ ...event, summary_index: index }, text)
          ),
          ...texts("content").map(({ index, text }) =>
            this.readText({ ...event, content_index: index }, text)
          )
        ]
      : []
    const encrypted = findNonEmptyText(item["encrypted_content"])
    return encrypted === undefined
      ? whole
      : [...whole, { type: "encrypted", ...this.#identify(event, "encrypted"), encrypted }]
  }

  /** Pieces of one summary, or of one text, belong together. */
  #identify(event: Json, place: string) {
    const key = `${toItemKey(event)} ${place}`
    this.#keys.add(key)
    const id = findNonEmptyText(event["item_id"])
    return { key, format: this.#format, ...(id === undefined ? undefined : { id }) }
  }
}

/** The place of the item of an event. */
export const toItemKey = ({ item_id, output_index }: Json): number | string =>
  findIndex(output_index) ?? findNonEmptyText(item_id) ?? 0
