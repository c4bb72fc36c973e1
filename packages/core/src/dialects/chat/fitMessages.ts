/** Fits the messages of a chat to the server and the model that get them. */
import type { ChatCall } from "../../engine/upstreams/ChatCapability.ts"
import type { ChatBody, ChatBodyMessage } from "../../engine/upstreams/openaiChat/ChatBody.ts"
import { isObject } from "../../values/json/guards.ts"
import { replaceFields } from "../replaceFields.ts"
import type { RequestChanges } from "../RequestChanges.ts"
import type { ChatServerModel } from "./ChatServerModel.ts"
import { partResults, renameCallIds } from "./fitCalls.ts"
import { returnReasoning } from "./returnReasoning.ts"
import { addThinkingBlocks, hasBlocks } from "./thinkingBlocks.ts"

type Messages = ChatBody["messages"]

/** The same messages where the server takes them as they are. */
export const fitMessages = (
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
