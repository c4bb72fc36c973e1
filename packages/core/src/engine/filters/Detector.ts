/** Finds one kind of content in a text. */

/** A place where a text has what a detector looks for: from `start` to before `end`, in UTF-16 code units. */
export interface Detection {
  readonly start: number
  readonly end: number
  /** What exactly it is, such as the provider of a key or the rule that matched; absent: the detector says all. */
  readonly kind?: string
}

/** Takes time linear in the text. Detections may overlap, and come in any order. */
export type Detector = (text: string) => ReadonlyArray<Detection>

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
