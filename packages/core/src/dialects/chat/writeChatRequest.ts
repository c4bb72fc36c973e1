/** Writes a conversation as a request in OpenAI's chat dialect. */
import type {
  Conversation,
  ReasoningSettings,
  Sampling,
  Tool,
  ToolChoice,
  Turn
} from "../../conversation/Conversation.ts"
import type { Part, ResultPart } from "../../conversation/Part.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import { commonNames, makeToolNames, type ToolNames, toToolName } from "../ToolNames.ts"
import { writeFormat } from "../writeFormat.ts"
import { writeAssistantMessage } from "./assistantMessage.ts"
import { writeCacheMark, writeContent, writePart } from "./writeContent.ts"

type Json = Readonly<Record<string, unknown>>

/** A message of the chat dialect. */
interface ChatMessageJson {
  readonly role: string
  readonly [field: string]: unknown
}

/** What a request in the chat dialect says to the model. */
export interface ChatRequestContent {
  readonly messages: ReadonlyArray<ChatMessageJson>
  /** By the names of the dialect. */
  readonly parameters: Json
}

export interface ChatWriteOptions {
  /** Whether the results of tools may hold images; else images follow all results in a message of the user. */
  readonly takesToolImages?: boolean
}

export const writeChatRequest = (
  conversation: Conversation,
  { takesToolImages = false }: ChatWriteOptions = {}
): ChatRequestContent => {
  const names = makeToolNames(conversation.tools, commonNames)
  return {
    messages: writeMessages(conversation.turns, names, takesToolImages),
    parameters: writeParameters(conversation, names)
  }
}

const writeMessages = (
  turns: ReadonlyArray<Turn>,
  names: ToolNames,
  takesToolImages: boolean
): ReadonlyArray<ChatMessageJson> => {
  const messages: Array<ChatMessageJson> = []
  let shown: Array<Part> = []
  /** Images of results come after all results of the turn. */
  const show = (): void => {
    if (shown.length > 0) messages.push({ role: "user", content: shown.flatMap(writePart) })
    shown = []
  }
  for (const turn of turns) {
    if (turn.role !== "tool") show()
    for (const part of turn.parts) {
      if (part.type !== "result") continue
      const [kept, moved] = takesToolImages ? [part.content, []] : splitMedia(part)
      messages.push({
        role: "tool",
        tool_call_id: part.callId,
        content: toResultContent(part, kept),
        ...writeCacheMark(part)
      })
      shown.push(...moved)
    }
    const message = writeTurn(turn, names)
    if (message !== undefined) {
      if (turn.role === "tool") show()
      messages.push(message)
    }
  }
  show()
  return messages
}

const writeTurn = (turn: Turn, names: ToolNames): ChatMessageJson | undefined => {
  const named = turn.name === undefined ? undefined : { name: turn.name }
  const parts = turn.parts.some(isResult)
    ? turn.parts.filter((part) => !isResult(part))
    : turn.parts
  if (parts.length === 0 && turn.parts.length > 0) return undefined
  switch (turn.role) {
    case "system":
      return { role: getSystemRole(turn), content: writeContent(parts), ...named }
    case "assistant":
      return { role: "assistant", ...writeAssistantMessage(renameCalls(parts, names)), ...named }
    case "user":
      return { role: "user", content: writeContent(parts), ...named }
    case "tool":
      return parts.length === 0 ? undefined : { role: "user", content: writeContent(parts) }
  }
}

const isResult = ({ type }: Part): boolean => type === "result"

const getSystemRole = ({ extra }: Turn): string =>
  extra?.dialect === "chat" && extra.fields["role"] === "developer" ? "developer" : "system"

const renameCalls = (parts: ReadonlyArray<Part>, names: ToolNames): ReadonlyArray<Part> =>
  parts.map((part) => (part.type === "call" ? { ...part, name: names.toDialect(part) } : part))

const splitMedia = ({
  content
}: ResultPart): readonly [ResultPart["content"], ReadonlyArray<Part>] => [
  content.filter(({ type }) => type === "text" || type === "opaque"),
  content.filter(({ type }) => type !== "text" && type !== "opaque")
]

/** Chat has no mark for a failed call, so the text says it. */
const toResultContent = ({ isError }: ResultPart, content: ResultPart["content"]) => {
  const written = content.length === 0 ? "" : writeContent(content)
  if (isError !== true) return written
  return typeof written === "string"
    ? `Error: ${written}`
    : [{ type: "text", text: "Error:" }, ...written]
}

const writeParameters = (conversation: Conversation, names: ToolNames): Json => {
  const { extra, logprobs, tools } = conversation
  return {
    ...(extra?.dialect === "chat" ? extra.fields : undefined),
    ...writeSampling(conversation.sampling),
    ...omitUndefined({
      tools: tools.length === 0 ? undefined : tools.flatMap((tool) => writeTool(tool, names)),
      tool_choice: writeToolChoice(conversation.toolChoice, names),
      parallel_tool_calls: conversation.parallelCalls,
      max_tokens: conversation.maxOutputTokens,
      stop: conversation.stop.length === 0 ? undefined : conversation.stop,
      response_format: writeFormat(conversation.format, "chat"),
      reasoning: writeReasoningSettings(conversation.reasoning),
      n: conversation.answers,
      logprobs: logprobs === undefined ? undefined : true,
      top_logprobs: logprobs === undefined || logprobs.top === 0 ? undefined : logprobs.top,
      verbosity: conversation.verbosity,
      service_tier: conversation.serviceTier,
      cache_control: conversation.cache
    })
  }
}

const writeSampling = (sampling: Sampling): Json =>
  omitUndefined({
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    min_p: sampling.minP,
    top_a: sampling.topA,
    frequency_penalty: sampling.frequencyPenalty,
    presence_penalty: sampling.presencePenalty,
    repetition_penalty: sampling.repetitionPenalty,
    seed: sampling.seed,
    logit_bias: sampling.logitBias
  })

/** A tool of another dialect's provider is left out; one of free text stays what it is. */
const writeTool = (tool: Tool, names: ToolNames): ReadonlyArray<Json> => {
  switch (tool.type) {
    case "server":
      return tool.dialect === "chat" ? [tool.raw] : []
    case "custom":
      return [
        {
          type: "custom",
          custom: {
            name: names.toDialect(tool),
            ...omitUndefined({ description: tool.description, format: tool.format })
          }
        }
      ]
    case "function":
      return [
        {
          type: "function",
          function: {
            name: names.toDialect(toToolName(tool)),
            ...omitUndefined({
              description: tool.description,
              parameters: tool.parameters,
              strict: tool.strict
            })
          },
          ...writeCacheMark(tool)
        }
      ]
  }
}

const writeToolChoice = (choice: ToolChoice | undefined, names: ToolNames): unknown => {
  switch (choice?.type) {
    case undefined:
      return undefined
    case "auto":
    case "none":
    case "required":
      return choice.type
    case "tool": {
      const name = names.toDialect(choice)
      return choice.isCustom === true
        ? { type: "custom", custom: { name } }
        : { type: "function", function: { name } }
    }
    case "allowed":
      return {
        type: "allowed_tools",
        allowed_tools: {
          mode: choice.mode,
          tools: choice.names.map((name) => ({
            type: "function",
            function: { name: names.toDialect({ name }) }
          }))
        }
      }
    case "opaque":
      return choice.dialect === "chat" ? choice.raw : undefined
  }
}

const writeReasoningSettings = (settings: ReasoningSettings | undefined): Json | undefined =>
  settings === undefined
    ? undefined
    : omitUndefined({
        effort: settings.effort,
        max_tokens: settings.maxTokens,
        enabled: settings.isEnabled,
        exclude: settings.isExcluded,
        summary: settings.summary
      })
