/** Finds once what several detectors need to know of a text. */
import { forEachRun, listWords, makeCharacterSet, makeWordFilter } from "./characterRuns.ts"
import type { Span, TextOutline } from "./Detector.ts"
import { attackWords } from "./detectors/injection.ts"
import { namesOfSecrets } from "./detectors/secrets.ts"
import { listNumberAreas } from "./numberAreas.ts"

const wordFilter = makeWordFilter([...attackWords, ...namesOfSecrets])

/** Of what tokens and base64 are made. */
const token = makeCharacterSet(/[\w.+/=:~-]/)
const leastToken = 16

export const outlineText = (text: string): TextOutline => new LazyOutline(text)

class LazyOutline implements TextOutline {
  readonly #text: string
  #numbers: ReadonlyArray<Span> | undefined
  #tokens: ReadonlyArray<Span> | undefined
  #words: ReadonlyArray<number> | undefined

  constructor(text: string) {
    this.#text = text
  }

  get numbers(): ReadonlyArray<Span> {
    return (this.#numbers ??= listNumberAreas(this.#text))
  }

  get tokens(): ReadonlyArray<Span> {
    return (this.#tokens ??= this.#listTokens())
  }

  get words(): ReadonlyArray<number> {
    return (this.#words ??= listWords(this.#text, wordFilter))
  }

  #listTokens(): ReadonlyArray<Span> {
    let runs: Array<Span> | undefined
    forEachRun(this.#text, token, leastToken, (start, end) => (runs ??= []).push({ start, end }))
    return runs ?? none
  }
}

const none: ReadonlyArray<never> = []
