/** What a server answered, read whole. */
import { property } from "./property.ts"

export interface Answer {
  readonly status: number
  /** By lower-case name; several of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The text as JSON; undefined when it is none. */
  readonly body: unknown
}

export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** What an error envelope says; undefined in each place where `answer` is none. */
export const errorIn = ({ body }: Answer) => {
  const error = property(body, "error")
  return {
    code: property(error, "code"),
    message: property(error, "message"),
    metadata: property(error, "metadata")
  }
}
