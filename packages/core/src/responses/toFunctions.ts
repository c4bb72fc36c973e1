/** Writes tools of free text as functions, because few providers with the chat API know such tools. */
import type { Conversation, Tool, ToolChoice, Turn } from "../conversation/Conversation.ts"
import type { Part } from "../conversation/Part.ts"

/**
 * The input is the only argument. Settings of tools are left out where no tool of the caller is left, because providers
 * refuse them.
 */
export const toFunctions = (conversation: Conversation): Conversation => {
  const { parallelCalls, toolChoice, ...rest } = conversation
  const tools = conversation.tools.map(toFunction)
  return {
    ...rest,
    tools,
    turns: conversation.turns.map(toFunctionTurn),
    ...(tools.some(({ type }) => type === "function")
      ? {
          ...(toolChoice === undefined ? undefined : { toolChoice: toFunctionChoice(toolChoice) }),
          ...(parallelCalls === undefined ? undefined : { parallelCalls })
        }
      : undefined)
  }
}

const toFunction = (tool: Tool): Tool =>
  tool.type === "custom"
    ? {
        type: "function",
        name: tool.name,
        parameters: {
          type: "object",
          properties: { input: { type: "string" } },
          required: ["input"]
        },
        ...(tool.description === undefined ? undefined : { description: tool.description })
      }
    : tool

const toFunctionChoice = (choice: ToolChoice): ToolChoice => {
  if (choice.type !== "tool") return choice
  const { isCustom: _, ...rest } = choice
  return rest
}

const toFunctionTurn = (turn: Turn): Turn =>
  turn.parts.some(isCustomPart) ? { ...turn, parts: turn.parts.map(toFunctionPart) } : turn

const isCustomPart = (part: Part): boolean =>
  (part.type === "call" || part.type === "result") && part.isCustom === true

const toFunctionPart = (part: Part): Part => {
  if (part.type === "result") {
    const { isCustom: _, ...result } = part
    return result
  }
  if (part.type !== "call" || part.isCustom !== true) return part
  const { isCustom: _, ...call } = part
  return { ...call, arguments: JSON.stringify({ input: part.arguments }) }
}
