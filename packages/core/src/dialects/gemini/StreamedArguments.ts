/** The arguments of one streamed call, and whether all of them are there. */
import { isObject } from "../../values/json/isObject.ts"
import { parseArguments } from "../callArguments.ts"

/** Reads each character once, so that a call of many pieces is not parsed with each of them. */
export class StreamedArguments {
  private readonly texts: Array<string> = []
  private depth = 0
  private isInString = false
  private isEscaped = false
  /** Undefined: their first value has just ended, and has not been parsed. */
  private isWholeSoFar: boolean | undefined = true
  /** The first value has ended: nothing that follows makes it another one. */
  private hasEnded = false

  get text(): string {
    return this.texts.join("")
  }

  add(text: string): void {
    this.texts.push(text)
    if (this.isWholeSoFar !== false && text.trim() === "") return
    this.isWholeSoFar = false
    if (this.hasEnded) return
    for (const character of text) this.scan(character)
    if (this.hasEnded) this.isWholeSoFar = undefined
  }

  /** Whether they are a JSON object, or nothing, which counts as one. */
  isWhole(): boolean {
    this.isWholeSoFar ??= isObject(parseArguments({ arguments: this.text }))
    return this.isWholeSoFar
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
