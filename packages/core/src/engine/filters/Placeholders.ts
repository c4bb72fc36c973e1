/** What stands in a request in place of contents, and how it is put back into the answer. */
import type { FilterRule } from "./FilterRule.ts"

/**
 * The placeholders of one request. A content that is restored has a number, which is the same for equal contents: by the
 * order in which they first appear, so that it stays the same while a conversation grows.
 */
export class Placeholders {
  /** By placeholder without number: the numbers of contents. */
  readonly #numbers = new Map<string, Map<string, number>>()
  readonly #contents = new Map<string, string>()
  #longest = 0

  /** The placeholder of a content. */
  put(content: string, { isRestored, placeholder }: FilterRule): string {
    if (!isRestored || placeholder === "") return placeholder
    const numbers = this.#numbers.get(placeholder) ?? new Map<string, number>()
    this.#numbers.set(placeholder, numbers)
    const number = numbers.get(content) ?? numbers.size + 1
    numbers.set(content, number)
    const numbered = `${placeholder.replace(/\]$/, "")}_${number}]`
    this.#contents.set(numbered, content)
    this.#longest = Math.max(this.#longest, numbered.length)
    return numbered
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

const identity = (content: string): string => content
