/** Parses the untrusted error object of an upstream. */
import { findJson, isObject } from "../../../values/json/guards.ts"

/** Google's edge answers with a list of one. */
export const parseErrorBody = (body: string): unknown => {
  const json = findJson(body)
  return Array.isArray(json) ? json[0] : json
}

interface UpstreamError {
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

const phrases: ReadonlyArray<RegExp> = [
  // OpenAI, Azure, vLLM, DeepSeek, Together, OpenRouter.
  /maximum context length/i,
  /context[ _-]?(?:length|window|size|limit)[^.]{0,40}(?:exceed|too (?:long|large|small))/i,
  /(?:exceed|larger than|longer than|too (?:long|large) for)[^.]{0,60}context[ _-]?(?:length|window|size|limit)?/i,
  // Anthropic, Fireworks.
  /prompt is too long/i,
  // xAI.
  /maximum prompt length/i,
  // Gemini.
  /input token count[^.]{0,60}exceeds/i,
  // Mistral.
  /too large for model with \d+ maximum/i,
  // Groq.
  /reduce the length of the (?:messages|prompt|input)/i,
  // TGI and those built on it.
  /`inputs` (?:tokens )?(?:must have less than|\+ `max_new_tokens` must be <=)/i
]

/** Recognizes messages about an exceeded context length, because few providers have an error code for it. */
export const isContextLengthMessage = (message: string | undefined): boolean =>
  message !== undefined &&
  phrases.some((phrase) => phrase.test(message.slice(0, maxScannedCharacters)))

/** Messages of upstreams may have any length. */
export const maxScannedCharacters = 2_000
