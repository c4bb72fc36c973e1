/** What calls in process load on demand: the translation from and to the Responses API. */
export { makeResponseEventWriter } from "./makeResponseEventWriter.ts"
export { decodeResponsesChat, parseResponsesChat } from "./parseResponsesChat.ts"
export { writeResponse } from "./writeResponse.ts"
