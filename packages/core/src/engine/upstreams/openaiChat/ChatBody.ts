/** The body of a request in OpenAI's chat dialect, as a caller wrote it. */
import { isObject } from "../../../values/json/guards.ts"

/** One message of a chat; its keys are data. */
export interface ChatBodyMessage {
  readonly role: string
  readonly [field: string]: unknown
}

/** The messages, and the parameters of the model by their names. */
export interface ChatBody {
  readonly messages: ReadonlyArray<ChatBodyMessage>
  readonly [parameter: string]: unknown
}

/** The same object, unless its messages are no list. What the router hands on has been checked (`listMessages`). */
export const toChatBody = (body: Readonly<Record<string, unknown>>): ChatBody =>
  isChatBody(body) ? body : { ...body, messages: [] }

const isChatBody = (body: Readonly<Record<string, unknown>>): body is ChatBody =>
  Array.isArray(body["messages"])

/** The messages of a list; the same list where it has nothing else. */
export const listMessages = (list: unknown): ReadonlyArray<ChatBodyMessage> => {
  if (!Array.isArray(list)) return []
  return list.every(isMessage) ? list : list.filter(isMessage)
}

const isMessage = (value: unknown): value is ChatBodyMessage =>
  isObject(value) && typeof value["role"] === "string"
