/** Parses the untrusted error object of an upstream. */
import { isObject } from "../../../values/json/isObject.ts"

export interface UpstreamError {
  readonly code: string | undefined
  /** A numeric code, which is the HTTP status of the error. */
  readonly status: number | undefined
  readonly message: string | undefined
}

/** Reads `{error: {code, type, message}}`, `{error}` or `{message}`. */
export const parseUpstreamError = (parsed: unknown): UpstreamError => {
  const error = readProperty(parsed, "error")
  const code = readProperty(error, "code")
  return {
    code: findText(
      readProperty(readProperty(error, "metadata"), "error_type"),
      code,
      readProperty(error, "type")
    ),
    status: typeof code === "number" ? code : undefined,
    message: findText(readProperty(error, "message"), error, readProperty(parsed, "message"))
  }
}

const findText = (...candidates: ReadonlyArray<unknown>): string | undefined =>
  candidates.find((candidate) => typeof candidate === "string")

const readProperty = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
