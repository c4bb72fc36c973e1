/** What calls in process load on demand: the translation from and to Anthropic's Messages API. */
export { makeMessageEventWriter } from "./makeMessageEventWriter.ts"
export { decodeMessagesChat, parseMessagesChat } from "./parseMessagesChat.ts"
export { writeMessage } from "./writeMessage.ts"
