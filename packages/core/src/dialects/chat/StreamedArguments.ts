/** The arguments of one streamed call, and whether all of them are there. */
import { findJson, isObject } from "../../values/json/guards.ts"

/**
 * Reads each character once, and only on demand: a call that arrives in many pieces is not parsed again with each
 * piece.
 */
export class StreamedArguments {
  private readonly texts: Array<string> = []
  /** The number of UTF-16 code units. */
  length = 0
  /** The number of texts that have been read. */
  private scanned = 0
  private depth = 0
  private isInString = false
  private isEscaped = false
  /** Undefined: their first value has just ended, and has not been parsed. */
  private isWholeSoFar: boolean | undefined = true
  /** The first value has ended: nothing that follows makes it another one. */
  private hasEnded = false
  /** Whether the arguments so far are only white space. */
  isBlank = true

  get text(): string {
    return this.texts.join("")
  }

  add(text: string): void {
    if (text === "") return
    this.texts.push(text)
    this.length += text.length
    if (this.isBlank && text.trim() !== "") this.isBlank = false
  }

  /** Whether they are a JSON object, or nothing, which counts as one. */
  isWhole(): boolean {
    for (; this.scanned < this.texts.length; this.scanned++) {
      this.scanText(this.texts[this.scanned] ?? "")
    }
    this.isWholeSoFar ??= isObject(findJson(this.text))
    return this.isWholeSoFar
  }

  private scanText(text: string): void {
    if (this.isWholeSoFar !== false && text.trim() === "") return
    this.isWholeSoFar = false
    if (this.hasEnded) return
    for (const character of text) this.scan(character)
    if (this.hasEnded) this.isWholeSoFar = undefined
  }

  private scan(character: string): void {
    if (this.isInString) {
      if (this.isEscaped) this.isEscaped = false
      else if (character === "\\") this.isEscaped = true
      else if (character === '"') this.isInString = false
      return
    }
    if (character === '"') this.isInString = true
    else if (character === "{" || character === "[") this.depth++
    else if (character === "}" || character === "]") {
      this.depth--
      if (this.depth <= 0) this.hasEnded = true
    }
  }
}
