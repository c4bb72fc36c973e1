/**
 * Fits chats to a server with OpenAI's chat API: replaces or removes what the server is known to refuse, and reports
 * each change.
 */
import type { ChatCall } from "../../engine/upstreams/ChatCapability.ts"
import type { ChatBody, ChatBodyMessage } from "../../engine/upstreams/openaiChat/ChatBody.ts"
import { isObject } from "../../values/json/guards.ts"
import { replaceFields, reportChanges, RequestChanges } from "../RequestChanges.ts"
import { getReasoningFamily } from "../reasoningFamily.ts"
import type { ChatServerModel } from "./ChatServerModel.ts"
import { partResults, renameCallIds } from "./fitCalls.ts"
import { fitParameters } from "./fitParameters.ts"
import type { ChatEndpoint } from "./makeChatCompletions.ts"
import { parseReasoning } from "./reasoningDetails.ts"
import { addThinkingBlocks, findDetails, hasBlocks } from "./thinkingBlocks.ts"

/** `findModel` returns the rules of a model, by its name at the upstream; called for each chat. */
export const makeChatFit = (
  findModel: (model: string) => ChatServerModel
): NonNullable<ChatEndpoint["fit"]> => {
  return (body, call) => {
    const model = findModel(call.model)
    const changes = new RequestChanges()
    const messages = fitMessages(body.messages, call, model, changes)
    const fitted = fitParameters(body, call, model, changes)
    reportChanges(call, changes)
    return messages === body.messages && fitted === body ? body : { ...fitted, messages }
  }
}

type Messages = ChatBody["messages"]

/** The same messages where the server takes them as they are. */
const fitMessages = (
  messages: Messages,
  { native }: Pick<ChatCall, "native">,
  model: ChatServerModel,
  changes: RequestChanges
): Messages => {
  const { callIds, reasoningField, takesToolMedia = native.dialect === "chat" } = model
  const known = model.takesDeveloper === true ? messages : renameDeveloper(messages)
  const placed = takesToolMedia ? known : moveToolMedia(known)
  const named = callIds === undefined ? placed : renameCallIds(placed, callIds)
  const parted = model.takesUserAfterTool === false ? partResults(named, changes) : named
  if (reasoningField !== undefined) return returnReasoning(parted, changes)
  return model.takesThinkingBlocks === true && parted.some(holdsDetails)
    ? parted.map((message) => (holdsDetails(message) ? addThinkingBlocks(message) : message))
    : parted
}

/** "unknown variant `developer`, expected one of `system`, `user`" (https://github.com/earendil-works/pi/issues/1048). */
const renameDeveloper = (messages: Messages): Messages =>
  messages.some(({ role }) => role === "developer")
    ? messages.map((message) =>
        message.role === "developer" ? { ...message, role: "system" } : message
      )
    : messages

const holdsDetails = ({ reasoning_details, role }: ChatBodyMessage): boolean =>
  role === "assistant" && hasBlocks(reasoning_details)

/**
 * Media of results stand in a message of the user right behind all results of a turn: "Image URLs are only allowed for messages
 * with role 'user'" (https://github.com/OpenHands/OpenHands/issues/7700).
 */
const moveToolMedia = (messages: Messages): Messages => {
  if (!messages.some(holdsToolMedia)) return messages
  const fitted: Array<ChatBodyMessage> = []
  let shown: Array<unknown> = []
  const show = (): void => {
    if (shown.length > 0) fitted.push({ role: "user", content: shown })
    shown = []
  }
  for (const message of messages) {
    if (message.role !== "tool") show()
    if (!holdsToolMedia(message)) {
      fitted.push(message)
      continue
    }
    const { content } = message
    const parts: ReadonlyArray<unknown> = Array.isArray(content) ? content : []
    shown.push(...parts.filter(isMedium))
    fitted.push({
      ...replaceFields(message, { content: toText(parts.filter((part) => !isMedium(part))) }),
      role: message.role
    })
  }
  show()
  return fitted
}

const holdsToolMedia = ({ content, role }: ChatBodyMessage): boolean =>
  role === "tool" && Array.isArray(content) && content.some(isMedium)

const isMedium = (part: unknown): boolean => isObject(part) && mediaTypes.has(part["type"])

const mediaTypes: ReadonlySet<unknown> = new Set([
  "audio_url",
  "file",
  "image_url",
  "input_audio",
  "video_url"
])

/** Servers refuse results without a text, too. */
const toText = (parts: ReadonlyArray<unknown>): unknown => {
  const [first] = parts
  if (first === undefined) return "The result is in the next message."
  return parts.length === 1 && isObject(first) && first["type"] === "text" ? first["text"] : parts
}

/** The same list, where no message of the assistant changes. */
const returnReasoning = (
  messages: ReadonlyArray<ChatBodyMessage>,
  changes: RequestChanges
): ReadonlyArray<ChatBodyMessage> => {
  let changed: Array<ChatBodyMessage> | undefined
  for (const [index, message] of messages.entries()) {
    const returned = message.role === "assistant" ? returnIn(message, changes) : message
    if (returned !== message) changed ??= messages.slice(0, index)
    changed?.push(returned)
  }
  return changed ?? messages
}

const returnIn = (message: ChatBodyMessage, changes: RequestChanges): ChatBodyMessage => {
  const { reasoning, reasoning_content: content } = message
  const details = findDetails(message)
  const hasCalls = Array.isArray(message["tool_calls"]) && message["tool_calls"].length > 0
  const known = typeof content === "string" ? content : findText(details, reasoning)
  if (known === undefined && details !== undefined) changes.add(["reasoning_details"])
  // A call that another model made: an empty text is taken for its reasoning.
  const returned = known ?? (hasCalls ? "" : undefined)
  if (returned === content && reasoning === undefined && details === undefined) return message
  return {
    ...replaceFields(message, {
      reasoning: undefined,
      reasoning_details: undefined,
      thinking_blocks: undefined,
      reasoning_content: returned
    }),
    role: message.role
  }
}

/** Reasoning that another provider signed does not become a thought of this model. */
const findText = (details: unknown, reasoning: unknown): string | undefined => {
  const said = typeof reasoning === "string" ? reasoning : undefined
  const texts = parseReasoning(details, said).flatMap(({ format, text }) =>
    text === undefined || getReasoningFamily(format) !== undefined ? [] : [text]
  )
  return texts.length === 0 ? undefined : texts.join("")
}
