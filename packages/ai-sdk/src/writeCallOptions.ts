/** Writes a conversation as the options of a call to a model of the AI SDK. */
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import {
  commonNames,
  type Conversation,
  makeToolNames,
  RequestChanges,
  toReasoningEffort,
  UntranslatableRequest
} from "@signalbox/core/dialects"
import * as Result from "effect/Result"
import type { FileOptions } from "./writeFile.ts"
import { writePrompt } from "./writePrompt.ts"
import { toSchema, writeTools } from "./writeTools.ts"

export interface WriteOptions extends FileOptions {
  /** Collects the fields that are sent in another form; absent: changes are not reported. */
  readonly changes?: RequestChanges
  readonly reasoningFamily: string
  /** The limit of the call, if the caller or the endpoint sets one. */
  readonly maxOutputTokens: number | undefined
  /** The share of it that may be reasoning follows from the effort; used if the call has no cap. */
  readonly assumedOutputTokens: number
}

export interface WrittenCall {
  readonly options: LanguageModelV4CallOptions
  /** What is sent otherwise than it was asked for, by names in the chat dialect. */
  readonly dropped: ReadonlyArray<string>
}

export const writeCallOptions = (
  conversation: Conversation,
  options: WriteOptions
): Result.Result<WrittenCall, UntranslatableRequest> =>
  Result.gen(function* () {
    if (conversation.answers !== undefined && conversation.answers > 1) {
      const problem = "must be 1: a model of the AI SDK gives one answer to a call"
      return yield* Result.fail(new UntranslatableRequest({ path: ["n"], problem }))
    }
    const names = makeToolNames(conversation.tools, commonNames)
    const prompt = yield* writePrompt(conversation.turns, {
      changes: new RequestChanges(),
      ...options,
      names
    })
    const tools = yield* writeTools(conversation, names)
    const maxOutputTokens = conversation.maxOutputTokens ?? options.maxOutputTokens
    const reasoning = writeReasoning(
      conversation.reasoning,
      maxOutputTokens ?? options.assumedOutputTokens
    )
    const { frequencyPenalty, presencePenalty, seed, temperature, topK, topP } =
      conversation.sampling
    const { stop } = conversation
    const responseFormat = writeFormat(conversation.format)
    return {
      options: {
        prompt,
        ...tools,
        ...(maxOutputTokens === undefined ? undefined : { maxOutputTokens }),
        ...(temperature === undefined ? undefined : { temperature }),
        ...(topP === undefined ? undefined : { topP }),
        ...(topK === undefined ? undefined : { topK }),
        ...(presencePenalty === undefined ? undefined : { presencePenalty }),
        ...(frequencyPenalty === undefined ? undefined : { frequencyPenalty }),
        ...(seed === undefined ? undefined : { seed }),
        ...(stop.length === 0 ? undefined : { stopSequences: Array.from(stop) }),
        ...(responseFormat === undefined ? undefined : { responseFormat }),
        ...(reasoning === undefined ? undefined : { reasoning })
      },
      dropped: listDropped(conversation, reasoning)
    }
  })

const writeFormat = (
  format: Conversation["format"]
): LanguageModelV4CallOptions["responseFormat"] => {
  switch (format?.type) {
    case undefined:
    case "opaque":
    case "text":
      return undefined
    case "json":
      return { type: "json" }
    case "schema":
      return {
        type: "json",
        schema: toSchema(format.schema),
        ...(format.name === undefined ? undefined : { name: format.name }),
        ...(format.description === undefined ? undefined : { description: format.description })
      }
  }
}

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const

type Effort = (typeof efforts)[number]

/** The AI SDK has efforts only. Undefined: as the provider does. */
const writeReasoning = (
  settings: Conversation["reasoning"],
  maxOutputTokens: number
): Effort | undefined => {
  if (settings === undefined) return undefined
  const { effort, isEnabled, maxTokens } = settings
  if (isEnabled === false) return "none"
  const wanted =
    effort ?? (maxTokens === undefined ? undefined : toReasoningEffort(maxTokens, maxOutputTokens))
  return efforts.find((each) => each === wanted) ?? (isEnabled === true ? "medium" : undefined)
}

/** What the AI SDK says with other words than the caller, or not at all, although it has a field for it. */
const listDropped = (
  { format, reasoning: settings }: Conversation,
  reasoning: Effort | undefined
): ReadonlyArray<string> => {
  const dropped: Readonly<Record<string, boolean>> = {
    "reasoning.effort": settings?.effort !== undefined && reasoning !== settings.effort,
    "reasoning.exclude": settings?.isExcluded === true,
    response_format: format?.type === "opaque"
  }
  return Object.keys(dropped).filter((name) => dropped[name])
}
