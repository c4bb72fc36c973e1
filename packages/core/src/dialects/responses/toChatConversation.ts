/** Writes a conversation of the Responses API as providers with the chat API take it. */
import type { Conversation, Tool, ToolChoice, Turn } from "../../conversation/Conversation.ts"
import type { FilePart, Part } from "../../conversation/Part.ts"
import { isUnread, type UnreadConversation } from "../PlainTexts.ts"

/**
 * Tools of free text become functions, because few providers know such tools: the input is the only argument. Tools that
 * providers run are left out, and settings of tools where none is left, because providers refuse them.
 */
export const toChatConversation = (
  conversation: Conversation | UnreadConversation
): Conversation | UnreadConversation => {
  if (isUnread(conversation)) {
    return { ...conversation, settings: toChatSettings(conversation.settings) }
  }
  const { turns, ...settings } = conversation
  return {
    ...toChatSettings(settings),
    turns: turns.every(isChatTurn) ? turns : turns.map(toChatTurn)
  }
}

const toChatSettings = (settings: Settings): Settings => {
  if (hasChatSettings(settings)) return settings
  const { parallelCalls, toolChoice, ...rest } = settings
  const tools = settings.tools.flatMap(toFunction)
  return {
    ...rest,
    tools,
    ...(tools.length === 0
      ? undefined
      : {
          ...(toolChoice === undefined ? undefined : { toolChoice: toFunctionChoice(toolChoice) }),
          ...(parallelCalls === undefined ? undefined : { parallelCalls })
        })
  }
}

type Settings = Omit<Conversation, "turns">

const hasChatSettings = ({ parallelCalls, toolChoice, tools }: Settings): boolean =>
  toolChoice === undefined && parallelCalls === undefined && tools.every(isFunction)

const isFunction = ({ type }: Tool): boolean => type === "function"

const isChatTurn = ({ parts }: Turn): boolean => parts.every(isChatPart)

/** Results are not looked into. */
const isChatPart = (part: Part): boolean =>
  part.type !== "result" &&
  !(part.type === "call" && part.isCustom === true) &&
  !(part.type === "image" && part.source.type === "id")

const toFunction = (tool: Tool): ReadonlyArray<Tool> => {
  if (tool.type === "server") return []
  if (tool.type === "function") return [tool]
  const { description, name } = tool
  return [
    {
      type: "function",
      name,
      parameters: {
        type: "object",
        properties: { input: { type: "string" } },
        required: ["input"]
      },
      ...(description === undefined ? undefined : { description })
    }
  ]
}

const toFunctionChoice = (choice: ToolChoice): ToolChoice => {
  if (choice.type !== "tool") return choice
  const { isCustom: _, ...rest } = choice
  return rest
}

const toChatTurn = (turn: Turn): Turn => ({ ...turn, parts: turn.parts.map(toChatPart) })

const toChatPart = (part: Part): Part => {
  switch (part.type) {
    case "call": {
      if (part.isCustom !== true) return part
      const { isCustom: _, ...call } = part
      return { ...call, arguments: JSON.stringify({ input: part.arguments }) }
    }
    case "result": {
      const { isCustom: _, ...result } = part
      return { ...result, content: part.content.map(toFile) }
    }
    case "image":
      return toFile(part)
    case "audio":
    case "file":
    case "opaque":
    case "reasoning":
    case "refusal":
    case "text":
    case "video":
      return part
  }
}

/** The id of an image is no address, where chat wants one. */
const toFile = <P extends Part>(part: P): FilePart | P =>
  part.type === "image" && part.source.type === "id" ? { type: "file", source: part.source } : part
