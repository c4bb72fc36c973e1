/** Reduces a conversation to the parts that every API can express. */
import type { Conversation, Tool, ToolChoice, Turn } from "../conversation/Conversation.ts"
import type { Part } from "../conversation/Part.ts"
import {
  commonNames,
  isAcceptedName,
  makeToolNames,
  type ToolNames,
  toToolName
} from "./ToolNames.ts"

/**
 * Leaves out what only the API of the caller knows: parts, tools and fields in its own form. Names of tools are those that
 * answers have in the chat dialect, so that callers get their own back. Most requests stay the same.
 */
export const toCommonConversation = (conversation: Conversation): Conversation => {
  const { extra, format, toolChoice, tools, turns, ...rest } = conversation
  const isCommon = tools.every(isCommonTool) && turns.every(isCommonTurn)
  if (isCommon && extra === undefined && !isForeign(format) && !isForeign(toolChoice)) {
    return conversation
  }
  const names = makeToolNames(tools, commonNames)
  const choice = toolChoice && toCommonChoice(toolChoice, names)
  return {
    ...rest,
    turns: isCommon ? turns : turns.map((turn) => toCommonTurn(turn, names)),
    tools: isCommon ? tools : tools.flatMap((tool) => toCommonTool(tool, names)),
    ...(choice === undefined ? undefined : { toolChoice: choice }),
    ...(format === undefined || isForeign(format) ? undefined : { format }),
    ...(extra?.dialect === "chat" ? { extra } : undefined)
  }
}

/** In the form of another dialect than chat. */
const isForeign = (
  said: { readonly type: string; readonly dialect?: string } | undefined
): boolean => said?.type === "opaque" && said.dialect !== "chat"

const isCommonTool = (tool: Tool): boolean =>
  tool.type === "server" ? tool.dialect === "chat" : isAcceptedName(toToolName(tool), commonNames)

const isCommonTurn = ({ parts }: Turn): boolean => parts.every(isCommonPart)

const isCommonPart = (part: Part): boolean => {
  if (part.type === "call") return isAcceptedName(part, commonNames)
  return part.type === "result" ? !part.content.some(isForeign) : !isForeign(part)
}

const toCommonTurn = (turn: Turn, names: ToolNames): Turn => ({
  ...turn,
  parts: turn.parts.flatMap((part) => toCommonPart(part, names))
})

const toCommonPart = (part: Part, names: ToolNames): ReadonlyArray<Part> => {
  if (part.type === "call") {
    const { namespace: _, ...call } = part
    return [{ ...call, name: names.toDialect(part) }]
  }
  if (part.type === "result") {
    return [{ ...part, content: part.content.filter((each) => !isForeign(each)) }]
  }
  return isForeign(part) ? [] : [part]
}

const toCommonTool = (tool: Tool, names: ToolNames): ReadonlyArray<Tool> => {
  if (tool.type === "server") return tool.dialect === "chat" ? [tool] : []
  const name = names.toDialect(toToolName(tool))
  if (tool.type === "custom") return [{ ...tool, name }]
  const { namespace: _, ...rest } = tool
  return [{ ...rest, name }]
}

const toCommonChoice = (choice: ToolChoice, names: ToolNames): ToolChoice | undefined => {
  switch (choice.type) {
    case "auto":
    case "none":
    case "required":
      return choice
    case "tool": {
      const { namespace: _, ...rest } = choice
      return { ...rest, name: names.toDialect(choice) }
    }
    case "allowed":
      return { ...choice, names: choice.names.map((name) => names.toDialect({ name })) }
    case "opaque":
      return isForeign(choice) ? undefined : choice
  }
}
