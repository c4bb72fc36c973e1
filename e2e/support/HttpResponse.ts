/** A complete HTTP response. */
import { getProperty } from "./getProperty.ts"

export interface HttpResponse {
  readonly status: number
  /** By lower-case name; repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The text parsed as JSON; undefined when it is not JSON. */
  readonly body: unknown
}

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The fields of an error envelope; undefined where they are missing. */
export const parseErrorEnvelope = ({ body }: HttpResponse) => {
  const error = getProperty(body, "error")
  return {
    code: getProperty(error, "code"),
    message: getProperty(error, "message"),
    metadata: getProperty(error, "metadata")
  }
}
