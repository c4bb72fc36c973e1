/** Finds one kind of content in a text. */
/** A part of a text: from `start` to before `end`, in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A place where a text has what a detector looks for. */
export interface Detection extends Span {
  /** What exactly it is, such as the provider of a key or the rule that matched; absent: the detector says all. */
  readonly kind?: string
}

/** Parts of a text where detectors look, found when the first of them asks. */
export interface TextOutline {
  /** Where numbers may be that mean persons, cards or telephones, with what stands around them. */
  readonly numbers: ReadonlyArray<Span>
  /** Runs of at least 16 characters that tokens or base64 are made of. */
  readonly tokens: ReadonlyArray<Span>
  /** Words that may be those of attacks or names of secrets: where each begins and where it ends, in turn. */
  readonly words: ReadonlyArray<number>
}

/** Takes time linear in the text. Detections may overlap, and come in any order. */
export type Detector = (text: string, outline: TextOutline) => ReadonlyArray<Detection>

export const noDetections: ReadonlyArray<Detection> = []

/** What a global expression finds and `check` confirms. */
export const matchAll = (
  text: string,
  pattern: RegExp,
  check: (match: string, at: number) => boolean = isAlways
): ReadonlyArray<Detection> => {
  let found: Array<Detection> | undefined
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [whole] = match
    if (check(whole, match.index)) {
      ;(found ??= []).push({ start: match.index, end: match.index + whole.length })
    }
  }
  return found ?? noDetections
}

const isAlways = (): boolean => true
