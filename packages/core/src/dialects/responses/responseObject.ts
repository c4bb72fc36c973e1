/** The response object, whole at the end and as a skeleton in the first events of a stream. */
import type { Tool } from "../../conversation/Conversation.ts"
import type { FailureKind } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import type { AnswerFacts, UsageFacts } from "../AnswerFacts.ts"
import { writeOmitted } from "../RequestChanges.ts"
import type { Json } from "./fields.ts"
import { encryptedReasoning } from "./parseRequest.ts"
import { writeResponsesUsage } from "./responsesUsage.ts"

/** The facts that are known before a response begins. */
export interface ResponseFacts extends Pick<AnswerFacts, "created" | "id" | "model"> {
  /** The request as its caller wrote it: the response repeats its settings. */
  readonly request: Json
  /** The tools of the conversation, which tell the names of tools and which of them take free text. */
  readonly tools: ReadonlyArray<Tool>
}

/** The facts that are known at the end of a response. */
export interface ResponseEnd extends UsageFacts {
  /** Seconds since the epoch. */
  readonly completed?: number
  /** Further fields of the response, such as `openrouter_metadata`. */
  readonly responseFields?: Json
}

/** How a response stands. */
export interface ResponseState extends ResponseEnd {
  readonly status: "completed" | "failed" | "in_progress" | "incomplete"
  readonly output: ReadonlyArray<Json>
  /** Parts of the answer that the output has no place for. */
  readonly omitted?: ReadonlyArray<{ readonly type: string }>
  readonly incompleteReason?: "content_filter" | "max_output_tokens" | undefined
  readonly error?: ResponseError | undefined
}

/** Why a response failed. */
export interface ResponseError {
  readonly message: string
  /** The HTTP status that the failure has before an answer begins. */
  readonly status: number
  readonly kind?: FailureKind
  /** OpenRouter's type of the error. */
  readonly errorType?: string
  /** Clients wait for as long as the message says. */
  readonly retryAfterMillis?: number
}

/** The fields of a response by their names; it is new, for the caller to add to. */
export interface ResponseJson extends Record<string, unknown> {
  readonly usage: Record<string, unknown> | null
}

/**
 * Every key is present, because strictly typed clients require all of them, and null only where they accept it.
 * Settings of the request are repeated, else the default of the API. It is one literal with its optional fields last:
 * fields that are added later move the object as it grows, which costs more than the fields.
 */
export const writeResponseObject = (
  { created, id, model, request }: ResponseFacts,
  state: ResponseState
): ResponseJson => ({
  id,
  object: "response",
  created_at: Math.floor(created),
  completed_at: state.completed === undefined ? null : Math.floor(state.completed),
  status: state.status,
  background: false,
  error: state.error === undefined ? null : writeError(state.error),
  incomplete_details:
    state.incompleteReason === undefined ? null : { reason: state.incompleteReason },
  instructions: pick(request["instructions"], isText, null),
  max_output_tokens: pick(request["max_output_tokens"], isInteger, null),
  max_tool_calls: pick(request["max_tool_calls"], isInteger, null),
  metadata: writeMetadata(request["metadata"]),
  parallel_tool_calls: request["parallel_tool_calls"] !== false,
  prompt_cache_key: pick(request["prompt_cache_key"], isText, null),
  reasoning: writeReasoning(request["reasoning"]),
  safety_identifier: pick(request["safety_identifier"], isText, null),
  temperature: pick(request["temperature"], isNumber, 1),
  top_p: pick(request["top_p"], isNumber, 1),
  frequency_penalty: pick(request["frequency_penalty"], isNumber, 0),
  presence_penalty: pick(request["presence_penalty"], isNumber, 0),
  top_logprobs: pick(request["top_logprobs"], isInteger, 0),
  text: writeText(request["text"]),
  tool_choice: writeToolChoice(request["tool_choice"]),
  tools: toList(request["tools"]).filter(isObject).map(writeTool),
  truncation: request["truncation"] === "auto" ? "auto" : "disabled",
  model,
  output: state.output,
  previous_response_id: null,
  service_tier: state.serviceTier ?? "default",
  store: false,
  usage: writeResponsesUsage(state) ?? null,
  ...(state.error?.errorType === undefined ? undefined : { error_type: state.error.errorType }),
  ...(state.omitted === undefined ? undefined : writeOmitted(state.omitted)),
  ...state.responseFields
})

const pick = <A, B>(value: unknown, isA: (value: unknown) => value is A, fallback: B): A | B =>
  isA(value) ? value : fallback

const isText = (value: unknown): value is string => typeof value === "string"
const isNumber = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value)
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)

const writeMetadata = (metadata: unknown): Json =>
  isObject(metadata)
    ? Object.fromEntries(Object.entries(metadata).filter(([, value]) => typeof value === "string"))
    : {}

const writeReasoning = (reasoning: unknown): Json | null =>
  isObject(reasoning)
    ? {
        effort: pick(reasoning["effort"], isText, null),
        summary: pick(reasoning["summary"] ?? reasoning["generate_summary"], isText, null)
      }
    : null

const writeText = (text: unknown): Json => {
  const { format, verbosity } = isObject(text) ? text : {}
  return {
    format: isObject(format) ? format : { type: "text" },
    ...(typeof verbosity === "string" ? { verbosity } : undefined)
  }
}

/** A typed client refuses the choice of a custom tool. */
const writeToolChoice = (choice: unknown): unknown => {
  if (isObject(choice)) return choice["type"] === "custom" ? "required" : choice
  return choice === "none" || choice === "required" ? choice : "auto"
}

const writeTool = (tool: Json): Json =>
  tool["type"] === "function"
    ? {
        ...tool,
        description: tool["description"] ?? null,
        parameters: tool["parameters"] ?? null,
        strict: tool["strict"] ?? null
      }
    : tool

/** Typed clients know a closed list of codes; the true kind is beside it. */
const writeError = ({ kind, message, retryAfterMillis, status }: ResponseError): Json => {
  const isLimited = status === 429 || kind === "rate_limited"
  const code = isLimited
    ? "rate_limit_exceeded"
    : promptStatuses.has(status) || (kind !== undefined && promptKinds.has(kind))
      ? "invalid_prompt"
      : "server_error"
  const wait =
    isLimited && retryAfterMillis !== undefined && !/try again in/i.test(message)
      ? ` Please try again in ${retryAfterMillis / 1_000}s.`
      : ""
  return { code, message: message + wait }
}

const promptStatuses: ReadonlySet<number> = new Set([400, 413, 422])
const promptKinds: ReadonlySet<FailureKind> = new Set([
  "bad_request",
  "content_refused",
  "context_length",
  "unsupported_parameter"
])

/** The kinds of reasoning that the request wants to get back. */
export interface ReasoningDemand {
  /** Readable summaries. */
  readonly wantsText: boolean
  /** Whether to return the encrypted reasoning, which clients send back and only its provider reads. */
  readonly wantsEncrypted: boolean
}

export const findReasoningDemand = ({ include, reasoning }: Json): ReasoningDemand => ({
  wantsText:
    !isObject(reasoning) ||
    typeof (reasoning["summary"] ?? reasoning["generate_summary"]) === "string",
  wantsEncrypted: toList(include).includes(encryptedReasoning)
})
