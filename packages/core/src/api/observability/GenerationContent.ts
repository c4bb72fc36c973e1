/** The prompt and the answer of a generation, as OpenRouter's clients read them. */
import * as Schema from "effect/Schema"
import type { ContentDocument } from "../../domains/content/KeptContent.ts"
import type { Generation } from "../../engine/observability/generations/Generation.ts"
import { omitUndefined } from "../../values/ownFields.ts"

const Text = Schema.NullOr(Schema.String)

const ContentError = Schema.Struct({
  /** The name of the error, such as `AttemptsFailed`. */
  message: Text,
  /** The attempts before the last one. */
  previous_errors: Schema.Array(
    Schema.Struct({
      /** HTTP status of the provider; 0 without a response. */
      code: Schema.Int,
      message: Schema.String,
      provider_name: Text,
      /** Always null: bodies of providers are not kept. */
      raw: Text
    })
  ),
  provider_name: Text,
  raw: Text,
  /** HTTP status of the provider; null without a response. */
  status: Schema.NullOr(Schema.Int)
})

export const GenerationContentData = Schema.Struct({
  /** The messages of a chat. For other operations their input as a text, in JSON where it is more than a text. */
  input: Schema.Union([
    Schema.Struct({ messages: Schema.Array(Schema.Unknown) }),
    Schema.Struct({ prompt: Schema.String })
  ]),
  output: Schema.Struct({
    /** The text of the answer; of an answer that only calls tools, the calls in JSON; null without an answer. */
    completion: Text,
    reasoning: Text,
    /** True when only the beginning of a long stream is kept. */
    is_truncated: Schema.optionalKey(Schema.Literal(true))
  }),
  /** Null for a request that was answered. */
  error: Schema.NullOr(ContentError)
})

export const toContentData = (
  generation: Generation,
  { input, isTruncated, output }: ContentDocument
): typeof GenerationContentData.Type => ({
  input: toInput(input),
  output: { ...toOutput(output), ...omitUndefined({ is_truncated: isTruncated }) },
  error: toError(generation)
})

const toInput = (input: unknown): (typeof GenerationContentData.Type)["input"] => {
  const messages = getMember(input, "messages")
  if (Array.isArray(messages)) return { messages }
  const texts = getMember(input, "input")
  const [only] = Array.isArray(texts) && texts.length === 1 ? texts : [texts]
  return { prompt: toText(only ?? input) }
}

/** Of the choices of a chat, or the answers of a Decision. */
export const toOutput = (
  output: unknown
): { completion: string | null; reasoning: string | null } => {
  const [choice] = Array.isArray(output) ? output : []
  const message = getMember(choice, "message")
  if (message === undefined) {
    return { completion: output === undefined ? null : toText(output), reasoning: null }
  }
  const content = toMessageText(getMember(message, "content"))
  const calls = getMember(message, "tool_calls")
  const reasoning = getMember(message, "reasoning")
  return {
    completion: content === null && calls !== undefined ? JSON.stringify(calls) : content,
    reasoning: typeof reasoning === "string" && reasoning !== "" ? reasoning : null
  }
}

const toMessageText = (content: unknown): string | null => {
  if (typeof content === "string") return content === "" ? null : content
  if (!Array.isArray(content)) return null
  const texts = content
    .map((part) => getMember(part, "text"))
    .filter((text) => typeof text === "string")
  return texts.length === 0 ? null : texts.join("")
}

const toError = (generation: Generation): typeof ContentError.Type | null => {
  const { attempts, error } = generation
  if (error === undefined) return null
  const last = attempts.at(-1)
  return {
    message: error,
    previous_errors: attempts.slice(0, -1).map(({ outcome, provider, status = 0 }) => ({
      code: status,
      message: outcome,
      provider_name: provider,
      raw: null
    })),
    provider_name: last?.provider ?? null,
    raw: null,
    status: last?.status ?? null
  }
}

const toText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value)

const getMember = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined
