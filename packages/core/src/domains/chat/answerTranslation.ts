/** What answers to conversations need, which is loaded with the first call. */
export { parseChatOf } from "./request/parseChatOf.ts"
export { toPieces } from "./stream/AnswerPiece.ts"
