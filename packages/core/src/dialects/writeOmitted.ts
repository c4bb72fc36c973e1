/** Tells the caller what of an answer its API has no place for. */
type Json = Readonly<Record<string, unknown>>

/** The types of the parts that are left out, such as a picture beside a text, in order; nothing: all of it has a place. */
export const writeOmitted = (left: ReadonlyArray<{ readonly type: string }>): Json =>
  left.length === 0 ? none : { omitted_content: left.map(({ type }) => type) }

const none: Json = {}
