/** The translation from and to the Responses API, which calls in process load on demand. */
export { makeResponseEventWriter } from "./makeResponseEventWriter.ts"
export { decodeResponsesChat } from "./parseResponsesChat.ts"
export { writeResponse } from "./writeResponse.ts"
