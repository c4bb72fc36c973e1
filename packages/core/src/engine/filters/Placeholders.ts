/** What stands in a request in place of contents, and how it is put back into the answer. */
import type { FilterRule } from "./FilterRule.ts"
import { normalise } from "./normalise.ts"

/**
 * The placeholders of one request. A content that is restored has a number, which is the same for equal contents: by the
 * order in which they first appear, so that it stays the same while a conversation grows.
 */
export class Placeholders {
  /** By placeholder without number: the numbered ones of contents, and the last number. */
  readonly #series = new Map<string, { readonly byContent: Map<string, string>; last: number }>()
  readonly #contents = new Map<string, string>()
  /** What texts of the request say themselves, which therefore stands for nothing. */
  readonly #reserved = new Set<string>()
  #longest = 0

  /** Call it for every text before the first content is put. */
  reserve(text: string): void {
    for (const read of [text, normalise(text)?.text ?? ""]) {
      for (const [literal] of read.matchAll(numbered)) this.#reserved.add(literal)
    }
  }

  /** The placeholder of a content. */
  put(content: string, { isRestored, placeholder }: FilterRule): string {
    if (!isRestored || placeholder === "") return placeholder
    const series = this.#series.get(placeholder) ?? { byContent: new Map(), last: 0 }
    this.#series.set(placeholder, series)
    const known = series.byContent.get(content)
    if (known !== undefined) return known
    let free: string
    do free = toNumbered(placeholder, ++series.last)
    while (this.#reserved.has(free) || this.#contents.has(free))
    series.byContent.set(content, free)
    this.#contents.set(free, content)
    this.#longest = Math.max(this.#longest, free.length)
    return free
  }

  /** Whether nothing is put back. */
  get isEmpty(): boolean {
    return this.#contents.size === 0
  }

  /** The text with the contents in place of their placeholders. `write` makes them fit where they stand. */
  restore(text: string, write: (content: string) => string = identity): string {
    if (this.isEmpty || !text.includes("[")) return text
    return text.replaceAll(/\[[^[\]]{1,120}\]/g, (placeholder) => {
      const content = this.#contents.get(placeholder)
      return content === undefined ? placeholder : write(content)
    })
  }

  /** Where a placeholder may begin that the end of the text does not complete; the length of the text: nowhere. */
  findPartial(text: string): number {
    const at = text.lastIndexOf("[")
    return at === -1 || text.length - at >= this.#longest || text.includes("]", at)
      ? text.length
      : at
  }
}

const numbered = /\[[^[\]]{1,120}_\d{1,9}\]/g

const toNumbered = (placeholder: string, number: number): string =>
  `${placeholder.replace(/\]$/, "")}_${number}]`

const identity = (content: string): string => content
