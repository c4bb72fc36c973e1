/** Writes a conversation as a request to Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages. */
import * as Result from "effect/Result"
import type { Conversation, Sampling } from "../../conversation/Conversation.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { hasSeveralAnswers, RequestChanges, severalAnswers } from "../RequestChanges.ts"
import { commonNames, makeToolNames } from "../ToolNames.ts"
import {
  failTranslation,
  isEmpty,
  omitFields,
  type UntranslatableRequest
} from "../UntranslatableRequest.ts"
import { getExtraFields, writeCacheMark } from "./messagesFields.ts"
import { restrictSchema } from "./restrictSchema.ts"
import {
  isForced,
  unforcedProblem,
  writeCalledTools,
  writeMessagesToolChoice,
  writeMessagesTools
} from "./writeMessagesTools.ts"
import { writeMessagesTurns } from "./writeMessagesTurns.ts"
import {
  type ForcedTools,
  type ThinkingForms,
  writeThinkingSettings,
  type WrittenThinking
} from "./writeThinkingSettings.ts"

type Json = Readonly<Record<string, unknown>>

/** The endpoint, and the features of its model. */
export interface MessagesWriteOptions {
  /** Absent: the URL names it. */
  readonly model?: string
  /** The cap when the caller sets none, because the API requires one: the most that the endpoint gives. */
  readonly maxOutputTokens: number
  /** Default: all of them. */
  readonly thinking?: Partial<ThinkingForms>
  /** Whether `temperature`, `top_p` and `top_k` are accepted: by models before 4.7. Default true. */
  readonly takesSampling?: boolean
  /** Whether `top_p` is accepted beside `temperature`: by models before 4.1. Else it is left out. Default true. */
  readonly takesTopPBesideTemperature?: boolean
  /** Whether instructions may stand between messages. Default true. */
  readonly takesSystemTurns?: boolean
  /** Whether media may be URLs: not on Bedrock and Vertex. Default true. */
  readonly takesUrls?: boolean
  /** The levels of effort that the model knows. Default: all of them. */
  readonly efforts?: ReadonlyArray<string> | undefined
  /** The efforts that it takes while thinking is turned off. Default: `efforts`. */
  readonly unthinkingEfforts?: ReadonlyArray<string> | undefined
  /** Whether the request may force the model to call a tool. Default: always. */
  readonly forcedTools?: ForcedTools
  /** Whether the API takes four cache marks at most, so that earlier ones are left out. Default false. */
  readonly limitsCacheMarks?: boolean
  /**
   * Whether the schemas of strict tools are within what the API takes, and tools that earlier turns call are offered where
   * none is any more, so that none may be called. Default false.
   */
  readonly fitsTools?: boolean
  /** Collects the fields that are sent in another form than the caller's; absent: changes are not reported. */
  readonly changes?: RequestChanges | undefined
}

/**
 * Leaves out settings that the API does not have, such as seeds. Fails for parts that the model would miss, such as
 * audio, for several answers, and for calls and results that do not belong together.
 */
export const writeMessagesRequest = (
  conversation: Conversation,
  options: MessagesWriteOptions
): Result.Result<Json, UntranslatableRequest> => {
  const { takesSampling = true, takesSystemTurns = true, takesUrls = true } = options
  const { changes = new RequestChanges() } = options
  if (hasSeveralAnswers(conversation)) return failTranslation(["n"], severalAnswers)
  const names = makeToolNames(conversation.tools, commonNames)
  const turns = writeMessagesTurns(conversation.turns, {
    changes,
    names,
    takesSystemTurns,
    takesUrls
  })
  if (Result.isFailure(turns)) return Result.fail(turns.failure)
  const tools = writeMessagesTools(conversation, names, {
    changes,
    restrictsStrict: options.fitsTools === true
  })
  if (Result.isFailure(tools)) return Result.fail(tools.failure)
  const hasTools = tools.success.length > 0
  const called =
    hasTools || options.fitsTools !== true ? [] : writeCalledTools(conversation.turns, names)
  const blocks = { ...turns.success, tools: hasTools ? tools.success : called }
  const marked =
    options.limitsCacheMarks === true
      ? limitCacheMarks(blocks, conversation.cache !== undefined, changes)
      : blocks
  const { messages, system } = marked
  if (hasTools && options.forcedTools === "never" && isForced(conversation.toolChoice)) {
    return failTranslation(["tool_choice"], unforcedProblem)
  }
  const toolChoice = writeMessagesToolChoice(conversation, names)
  if (Result.isFailure(toolChoice)) return Result.fail(toolChoice.failure)
  const stop = writeStop(conversation)
  if (Result.isFailure(stop)) return Result.fail(stop.failure)
  const format = writeFormat(conversation)
  if (Result.isFailure(format)) return Result.fail(format.failure)
  const cap = conversation.maxOutputTokens ?? options.maxOutputTokens
  const fields = getExtraFields(conversation.extra)
  const { effort, thinking } = writeThinking(
    conversation,
    { ...options, changes },
    cap,
    fields["thinking"]
  )
  const output = {
    ...omitUndefined({ effort, format: format.success }),
    ...(isObject(fields["output_config"]) ? fields["output_config"] : undefined)
  }
  const isThinking = thinking !== undefined && thinking["type"] !== "disabled"
  return Result.succeed({
    ...omitFields(fields, mergedFields),
    ...omitUndefined({
      model: options.model,
      max_tokens: cap,
      system: system.length === 0 ? undefined : system,
      messages,
      tools: marked.tools.length > 0 ? marked.tools : undefined,
      tool_choice: hasTools ? toolChoice.success : called.length > 0 ? { type: "none" } : undefined,
      thinking,
      output_config: isEmpty(output) ? undefined : output,
      stop_sequences: stop.success.length === 0 ? undefined : stop.success
    }),
    ...(takesSampling && !isThinking ? writeSampling(conversation.sampling, options) : undefined),
    ...writeServiceTier(conversation.serviceTier),
    ...writeCacheMark(conversation.cache)
  })
}

/** The API rejects white space alone. */
const writeStop = ({
  stop
}: Conversation): Result.Result<ReadonlyArray<string>, UntranslatableRequest> =>
  stop.every((text) => text.trim() !== "")
    ? Result.succeed(stop)
    : failTranslation(["stop"], "must not be white space alone for this provider's API")

/** Written together with what has a neutral form. */
const mergedFields: ReadonlySet<string> = new Set(["output_config", "thinking"])

const writeThinking = (
  { reasoning, toolChoice }: Conversation,
  options: MessagesWriteOptions & { readonly changes: RequestChanges },
  cap: number,
  extra: unknown
): WrittenThinking => {
  const { changes, efforts, forcedTools = "always", thinking: forms, unthinkingEfforts } = options
  const written = writeThinkingSettings(reasoning, {
    forms: { adaptive: true, budget: true, disabled: true, ...forms },
    cap,
    isForced: isForced(toolChoice),
    forcedTools,
    efforts,
    unthinkingEfforts,
    changes
  })
  // A form of thinking that only this dialect has, or an effort without it.
  if (isObject(extra) && Object.hasOwn(extra, "type")) return { ...written, thinking: extra }
  if (extra === null) return omitUndefined({ effort: written.effort })
  return isObject(extra) && written.thinking !== undefined
    ? { ...written, thinking: { ...written.thinking, ...extra } }
    : written
}

/** The API has no JSON without a schema; prompts that want it also ask for it in words. */
const writeFormat = ({
  format
}: Conversation): Result.Result<Json | undefined, UntranslatableRequest> => {
  switch (format?.type) {
    case undefined:
    case "json":
    case "text":
      return Result.succeed(undefined)
    case "schema":
      return Result.succeed({ type: "json_schema", schema: restrictSchema(format.schema) })
    case "opaque":
      return format.dialect === "messages" && isObject(format.raw)
        ? Result.succeed(format.raw)
        : failTranslation(["response_format"], "is not one of this provider's API")
  }
}

/** Other dialects go up to 2. Models that think only accept the default sampling. */
const writeSampling = (
  { temperature, topK, topP }: Sampling,
  { takesTopPBesideTemperature = true }: MessagesWriteOptions
): Json =>
  omitUndefined({
    temperature: temperature === undefined ? undefined : Math.min(temperature, maxTemperature),
    top_p: temperature === undefined || takesTopPBesideTemperature ? topP : undefined,
    top_k: topK
  })

const maxTemperature = 1

/** The API has no setting for the other tiers of chat. */
const writeServiceTier = (tier: string | undefined): Json | undefined => {
  if (tier === "default") return { service_tier: "standard_only" }
  return tier === "standard_only" || tier === "auto" ? { service_tier: tier } : undefined
}

type Blocks = ReadonlyArray<Json>

/** "A maximum of 4 blocks with cache_control may be provided": https://github.com/decolua/9router/issues/3795. */
const maxMarks = 4

/** The blocks that may be marked, in the order of the prefix that a mark ends. */
interface MarkedBlocks {
  readonly tools: Blocks
  readonly system: Blocks
  readonly messages: Blocks
}

/**
 * Keeps the last marks, because their prefixes include those of the others. `isMarked`: the whole request has a mark,
 * too.
 */
const limitCacheMarks = (
  blocks: MarkedBlocks,
  isMarked: boolean,
  changes: RequestChanges
): MarkedBlocks => {
  const { messages, system, tools } = blocks
  let spare = countMarks(tools) + countMarks(system) + countMarks(messages)
  spare -= isMarked ? maxMarks - 1 : maxMarks
  if (spare <= 0) return blocks
  changes.add(["cache_control"])
  const omitFrom = (list: Blocks): Blocks =>
    list.map((block): Json => {
      const { content } = block
      const inner = Array.isArray(content) ? omitFrom(content.filter(isObject)) : undefined
      const passed = inner === undefined ? block : { ...block, content: inner }
      if (spare <= 0 || block["cache_control"] === undefined) return passed
      spare--
      const { cache_control: _, ...rest } = passed
      return rest
    })
  return { tools: omitFrom(tools), system: omitFrom(system), messages: omitFrom(messages) }
}

const countMarks = (blocks: Blocks): number => {
  let marks = 0
  for (const { cache_control: mark, content } of blocks) {
    if (mark !== undefined) marks++
    if (Array.isArray(content)) marks += countMarks(content)
  }
  return marks
}
