/** Writes a conversation as a request of OpenAI's Responses API. */
import * as Result from "effect/Result"
import type {
  Conversation,
  CustomTool,
  FunctionTool,
  ReasoningSettings,
  Tool,
  ToolChoice,
  Turn
} from "../../conversation/Conversation.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { hasSeveralAnswers, type RequestChanges, severalAnswers } from "../RequestChanges.ts"
import { commonNames, makeToolNames, type ToolNames } from "../ToolNames.ts"
import { isEmpty, RequestProblems, type UntranslatableRequest } from "../UntranslatableRequest.ts"
import { pairCalls } from "../pairCalls.ts"
import type { ReasoningFamily } from "../reasoningFamily.ts"
import { toReasoningEffort } from "../reasoningEffort.ts"
import { writeFormat } from "../writeFormat.ts"
import { findText, getExtraFields, type Json } from "./fields.ts"
import { fitReasoning } from "./passOnResponses.ts"
import { encryptedReasoning, outputLogprobs } from "./parseRequest.ts"
import { writeInput } from "./writeInput.ts"

export interface ResponsesRequestOptions {
  /** The model's name at the provider. */
  readonly model: string
  readonly isStreamed?: boolean
  /** The maximum length of an answer in tokens when the conversation sets none; absent: the provider's maximum. */
  readonly maxOutputTokens?: number
  /**
   * A model that reasons refuses sampling parameters, and one that does not refuses settings for reasoning. Absent:
   * unknown.
   */
  readonly isReasoningModel?: boolean
  /** The efforts that the model takes; empty: none. Absent: unknown, and every one is sent. */
  readonly efforts?: ReadonlyArray<string> | undefined
  /** Collects the fields that are sent in another form than the caller's; absent: changes are not reported. */
  readonly changes?: RequestChanges | undefined
  /** Whether the provider takes OpenRouter's additions, such as `top_k` or videos. */
  readonly takesAdditions?: boolean
  /** The family whose reasoning the provider reads; default: OpenAI's. */
  readonly family?: ReasoningFamily
  /** Absent: made of the tools of the conversation. The reader of the answer needs the same. */
  readonly names?: ToolNames
}

/** OpenAI accepts no smaller cap. */
export const minOutputTokens = 16

/**
 * Responses are not stored, so the request asks for encrypted reasoning, and the answer returns it whole. The API has
 * no `stop`, `seed` and `logit_bias`, so these are left out. Fails when the request asks for several answers.
 */
export const writeResponsesRequest = (
  conversation: Conversation,
  options: ResponsesRequestOptions
): Result.Result<Readonly<Record<string, unknown>>, UntranslatableRequest> => {
  const paired = pairCalls(conversation.turns)
  if (Result.isFailure(paired)) return Result.fail(paired.failure)
  const problems = new RequestProblems()
  const { family = "openai", names = makeToolNames(conversation.tools, commonNames) } = options
  const [instructions, turns] = splitInstructions(paired.success)
  const input = writeInput(turns, { family, names }, problems)
  if (hasSeveralAnswers(conversation)) problems.add(["n"], severalAnswers)
  if (options.takesAdditions !== true && hasVideo(turns)) {
    problems.add(["messages"], "holds a video, which this provider's API does not take")
  }
  const foreign = conversation.tools.findIndex(isChatServerTool)
  if (foreign !== -1) problems.add(["tools", foreign], "is not one of this provider's API")
  if (problems.first !== undefined) return Result.fail(problems.first)
  return Result.succeed({
    ...writeExtra(conversation),
    model: options.model,
    ...(instructions === undefined ? undefined : { instructions }),
    input,
    ...writeToolFields(conversation, names),
    ...writeParameters(conversation, options),
    ...(options.isStreamed === undefined ? undefined : { stream: options.isStreamed }),
    store: false
  })
}

/** The plan finds the tools of the other dialects. */
const isChatServerTool = (tool: Conversation["tools"][number]): boolean =>
  tool.type === "server" && tool.dialect === "chat"

/** Fields that chat has under the same names. */
const chatFields: ReadonlySet<string> = new Set([
  "metadata",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "safety_identifier",
  "user"
])

/** A first turn of the system that is one text; but the input must not be empty. */
const splitInstructions = (
  turns: ReadonlyArray<Turn>
): readonly [string | undefined, ReadonlyArray<Turn>] => {
  const [first, ...rest] = turns
  if (first?.role !== "system" || rest.length === 0 || first.parts.length !== 1) {
    return [undefined, turns]
  }
  const [part] = first.parts
  return part?.type === "text" && isPlain(part) && isPlain(first) && part.text !== ""
    ? [part.text, rest]
    : [undefined, turns]
}

const isPlain = (said: Parameters<typeof getExtraFields>[0]): boolean =>
  isEmpty(getExtraFields(said))

const hasVideo = (turns: ReadonlyArray<Turn>): boolean =>
  turns.some(({ parts }) =>
    parts.some(
      (part) =>
        part.type === "video" ||
        (part.type === "result" && part.content.some(({ type }) => type === "video"))
    )
  )

const writeExtra = (conversation: Conversation): Json => {
  const { extra } = conversation
  if (extra?.dialect === "chat") {
    return Object.fromEntries(Object.entries(extra.fields).filter(([name]) => chatFields.has(name)))
  }
  const { include: _, reasoning: __, text: ___, ...fields } = getExtraFields(conversation)
  return fields
}

const writeToolFields = (
  { parallelCalls, toolChoice, tools }: Conversation,
  names: ToolNames
): Json => {
  const written = writeTools(tools, names)
  return omitUndefined({
    tools: written.length === 0 ? undefined : written,
    tool_choice: writeToolChoice(toolChoice, tools, names),
    parallel_tool_calls: parallelCalls
  })
}

const writeParameters = (conversation: Conversation, options: ResponsesRequestOptions): Json => {
  const { logprobs, serviceTier } = conversation
  const extra = getExtraFields(conversation)
  const cap = conversation.maxOutputTokens ?? options.maxOutputTokens
  const wished = writeReasoningSettings(conversation.reasoning, cap, options)
  const written = writeReasoning(wished, extra["reasoning"], options)
  const text = {
    ...omitUndefined({
      format: writeFormat(conversation.format, "responses"),
      verbosity: conversation.verbosity
    }),
    ...(isObject(extra["text"]) ? extra["text"] : undefined)
  }
  const include = [
    ...(options.isReasoningModel === false ? [] : [encryptedReasoning]),
    ...(logprobs === undefined ? [] : [outputLogprobs]),
    ...toList(extra["include"])
  ]
  return {
    ...(cap === undefined ? undefined : { max_output_tokens: Math.max(cap, minOutputTokens) }),
    ...writeSampling(conversation, options, written?.reasoning["effort"]),
    ...(isEmpty(text) ? undefined : { text }),
    ...written,
    ...(include.length === 0 ? undefined : { include }),
    ...(logprobs === undefined || logprobs.top === 0 ? undefined : { top_logprobs: logprobs.top }),
    ...(serviceTier === undefined ? undefined : { service_tier: serviceTier })
  }
}

const writeSampling = (
  { cache, sampling }: Conversation,
  { isReasoningModel, takesAdditions }: ResponsesRequestOptions,
  effort: unknown
): Json => ({
  ...(isReasoningModel === true && effort !== "none"
    ? undefined
    : omitUndefined({ temperature: sampling.temperature, top_p: sampling.topP })),
  ...(takesAdditions === true
    ? omitUndefined({
        top_k: sampling.topK,
        frequency_penalty: sampling.frequencyPenalty,
        presence_penalty: sampling.presencePenalty,
        cache_control: cache
      })
    : undefined)
})

const writeReasoning = (
  settings: Json | undefined,
  extra: unknown,
  { changes, efforts, isReasoningModel }: ResponsesRequestOptions
): { readonly reasoning: Json } | undefined => {
  const wished = { ...settings, ...(isObject(extra) ? extra : undefined) }
  if (isEmpty(wished)) return undefined
  if (isReasoningModel === false) {
    if (asksForReasoning(wished)) changes?.add(["reasoning"])
    return undefined
  }
  const reasoning = fitReasoning(wished, efforts, changes)
  return isEmpty(reasoning) ? undefined : { reasoning }
}

/** A model that does not reason is as it was asked to be. */
const asksForReasoning = ({ effort, enabled }: Json): boolean =>
  effort !== "none" && enabled !== false

/** Readable reasoning is shown in summaries, and only to those that ask for it. */
const writeReasoningSettings = (
  settings: ReasoningSettings | undefined,
  cap: number | undefined,
  { takesAdditions }: ResponsesRequestOptions
): Json | undefined => {
  if (settings === undefined) return undefined
  const { isEnabled, isExcluded, maxTokens, summary } = settings
  const isOff = settings.effort === "none" || (settings.effort === undefined && isEnabled === false)
  if (takesAdditions === true) {
    return omitUndefined({
      effort: settings.effort,
      max_tokens: maxTokens,
      enabled: isEnabled,
      summary: summary ?? (isExcluded === true || isOff ? undefined : "auto")
    })
  }
  // Without a cap, the budget is taken for a medium one.
  const budgeted =
    maxTokens === undefined ? undefined : toReasoningEffort(maxTokens, cap ?? 2 * maxTokens)
  return omitUndefined({
    effort: settings.effort ?? (isOff ? "none" : budgeted),
    summary: summary ?? (isExcluded === true || isOff ? undefined : "auto")
  })
}

/** Functions of one namespace are put together again. Tools that providers of other APIs run are left out. */
const writeTools = (tools: ReadonlyArray<Tool>, names: ToolNames): ReadonlyArray<Json> => {
  const written: Array<Json> = []
  const members = new Map<string, Array<Json>>()
  for (const tool of tools) {
    if (tool.type === "server") {
      if (tool.dialect === "responses") written.push(tool.raw)
      continue
    }
    const json = tool.type === "custom" ? writeCustom(tool, names) : writeFunction(tool, names)
    const namespace = findNamespace(tool)
    if (namespace === undefined) {
      written.push(json)
      continue
    }
    const { description, name } = namespace
    const key = JSON.stringify([name, description])
    const known = members.get(key)
    if (known === undefined) {
      const tools = [json]
      members.set(key, tools)
      written.push({ type: "namespace", name, description: description ?? "", tools })
    } else known.push(json)
  }
  return written
}

const findNamespace = (
  tool: CustomTool | FunctionTool
): { readonly name: string; readonly description?: string } | undefined => {
  if (tool.type === "function") return tool.namespace
  const { namespace } = getExtraFields(tool)
  if (!isObject(namespace)) return undefined
  const name = findText(namespace["name"])
  const description = findText(namespace["description"])
  return name === undefined
    ? undefined
    : { name, ...(description === undefined ? undefined : { description }) }
}

/** Without `strict`, this API tries to be strict, which the caller did not ask for. */
const writeFunction = (tool: FunctionTool, names: ToolNames): Json => ({
  type: "function",
  name: names.toDialect({ name: tool.name }),
  ...(tool.description === undefined ? undefined : { description: tool.description }),
  parameters: tool.parameters ?? null,
  strict: tool.strict ?? false,
  ...getExtraFields(tool)
})

const writeCustom = (tool: CustomTool, names: ToolNames): Json => {
  const { namespace: _, ...fields } = getExtraFields(tool)
  return {
    type: "custom",
    name: names.toDialect({ name: tool.name }),
    ...omitUndefined({ description: tool.description, format: flattenFormat(tool.format) }),
    ...fields
  }
}

/** Chat has the grammar in an object of its own. */
const flattenFormat = (format: unknown): unknown => {
  if (!isObject(format) || !isObject(format["grammar"])) return format
  return { type: "grammar", ...format["grammar"] }
}

const writeToolChoice = (
  choice: ToolChoice | undefined,
  tools: ReadonlyArray<Tool>,
  names: ToolNames
): unknown => {
  switch (choice?.type) {
    case undefined:
      return undefined
    case "auto":
    case "none":
    case "required":
      return choice.type
    case "tool":
      return {
        type: choice.isCustom === true ? "custom" : "function",
        name: names.toDialect({ name: choice.name }),
        ...(choice.namespace === undefined ? undefined : { namespace: choice.namespace })
      }
    case "allowed": {
      const custom = new Set(tools.flatMap((tool) => (tool.type === "custom" ? [tool.name] : [])))
      return {
        type: "allowed_tools",
        mode: choice.mode,
        tools: choice.names.map((name) => ({
          type: custom.has(name) ? "custom" : "function",
          name: names.toDialect({ name })
        }))
      }
    }
    case "opaque":
      return choice.dialect === "responses" ? choice.raw : undefined
  }
}
