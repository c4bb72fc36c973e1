/** What an error object of an upstream says, read without trusting any of it. */
import { isObject } from "./isObject.ts"

export interface UpstreamError {
  readonly code: string | undefined
  /** A code that is a number; where there is one, it is the status the error would have had. */
  readonly status: number | undefined
  readonly message: string | undefined
}

/** Reads `{error: {code, type, message}}`, `{error}` or `{message}`. */
export const errorIn = (parsed: unknown): UpstreamError => {
  const error = property(parsed, "error")
  const code = property(error, "code")
  return {
    code: firstText(
      property(property(error, "metadata"), "error_type"),
      code,
      property(error, "type")
    ),
    status: typeof code === "number" ? code : undefined,
    message: firstText(property(error, "message"), error, property(parsed, "message"))
  }
}

const firstText = (...candidates: ReadonlyArray<unknown>): string | undefined =>
  candidates.find((candidate) => typeof candidate === "string")

const property = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
