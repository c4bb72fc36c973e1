/** Writes a conversation as a request in OpenAI's chat dialect. */
import type {
  Conversation,
  ReasoningSettings,
  Tool,
  ToolChoice,
  Turn
} from "../../conversation/Conversation.ts"
import type { Part, ResultPart } from "../../conversation/Part.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { commonNames, makeToolNames, type ToolNames, toToolName } from "../ToolNames.ts"
import { writeFormat } from "../writeFormat.ts"
import { samplingNames } from "./parseRequest.ts"
import { writeAssistantMessage } from "./assistantMessage.ts"
import { writeCacheMark, writeContent, writePart } from "./writeContent.ts"

type Json = Readonly<Record<string, unknown>>

/** A message of the chat dialect. */
interface ChatMessageJson {
  readonly role: string
  readonly [field: string]: unknown
}

/** The content of a request in the chat dialect. */
export interface ChatRequestContent {
  readonly messages: ReadonlyArray<ChatMessageJson>
  /** The parameters by their names in the dialect. */
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

/** The parameters by their names in the dialect; settings without a name there are left out. */
export const writeChatParameters = (conversation: Omit<Conversation, "turns">): Json =>
  writeParameters(conversation, undefined)

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
    case "assistant": {
      // What another API's provider ran may be all that it held.
      if (parts.every(isForeign)) return undefined
      return { role: "assistant", ...writeAssistantMessage(renameCalls(parts, names)), ...named }
    }
    case "user":
      return { role: "user", content: writeContent(parts), ...named }
    case "tool":
      return parts.length === 0 ? undefined : { role: "user", content: writeContent(parts) }
  }
}

const isForeign = (part: Part): boolean => part.type === "opaque" && part.dialect !== "chat"

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

/** Most requests have few settings, so each is written only if it is there. */
const writeParameters = (
  conversation: Omit<Conversation, "turns">,
  /** The names of tools in the messages, which may call other tools than the request declares. */
  given: ToolNames | undefined
): Json => {
  const { extra, logprobs, reasoning, sampling, stop, tools } = conversation
  const parameters: Record<string, unknown> =
    extra?.dialect === "chat" ? Object.fromEntries(Object.entries(extra.fields)) : {}
  // Loops by index: destructuring pairs makes two iterators of each, for every request.
  for (let at = 0; at < samplingNames.length; at++) {
    const pair = samplingNames[at]!
    const value = sampling[pair[0]]
    if (value !== undefined) parameters[pair[1]] = value
  }
  if (sampling.logitBias !== undefined) parameters["logit_bias"] = sampling.logitBias
  if (tools.length > 0 || conversation.toolChoice !== undefined) {
    const names = given ?? makeToolNames(tools, commonNames)
    if (tools.length > 0) parameters["tools"] = tools.flatMap((tool) => writeTool(tool, names))
    const choice = conversation.toolChoice && writeToolChoice(conversation.toolChoice, names)
    if (choice !== undefined) parameters["tool_choice"] = choice
  }
  const format = conversation.format && writeFormat(conversation.format, "chat")
  if (format !== undefined) parameters["response_format"] = format
  if (stop.length > 0) parameters["stop"] = stop
  if (reasoning !== undefined) parameters["reasoning"] = writeReasoningSettings(reasoning)
  if (logprobs !== undefined) parameters["logprobs"] = true
  if (logprobs !== undefined && logprobs.top !== 0) parameters["top_logprobs"] = logprobs.top
  for (let at = 0; at < plainNames.length; at++) {
    const pair = plainNames[at]!
    const value = conversation[pair[0]]
    if (value !== undefined) parameters[pair[1]] = value
  }
  return parameters
}

/** The settings whose values are the same in the chat dialect, and their names there. */
const plainNames = [
  ["parallelCalls", "parallel_tool_calls"],
  ["maxOutputTokens", "max_tokens"],
  ["answers", "n"],
  ["verbosity", "verbosity"],
  ["serviceTier", "service_tier"],
  ["cache", "cache_control"]
] as const satisfies ReadonlyArray<readonly [keyof Conversation, string]>

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

const writeToolChoice = (choice: ToolChoice, names: ToolNames): unknown => {
  switch (choice.type) {
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

const writeReasoningSettings = (settings: ReasoningSettings): Json =>
  omitUndefined({
    effort: settings.effort,
    max_tokens: settings.maxTokens,
    enabled: settings.isEnabled,
    exclude: settings.isExcluded,
    summary: settings.summary
  })
