/** What a server answered, read whole. */
import { getProperty } from "./getProperty.ts"

export interface HttpResponse {
  readonly status: number
  /** By lower-case name; several of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The text as JSON; undefined when it is none. */
  readonly body: unknown
}

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** What an error envelope says; undefined in each place where `listResponseFields` is none. */
export const parseErrorEnvelope = ({ body }: HttpResponse) => {
  const error = getProperty(body, "error")
  return {
    code: getProperty(error, "code"),
    message: getProperty(error, "message"),
    metadata: getProperty(error, "metadata")
  }
}
