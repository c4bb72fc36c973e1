/** The translation from and to Anthropic's Messages API, which calls in process load on demand. */
export { makeMessageEventWriter } from "./makeMessageEventWriter.ts"
export { decodeMessagesChat } from "./parseMessagesChat.ts"
export { writeMessage } from "./writeMessage.ts"
