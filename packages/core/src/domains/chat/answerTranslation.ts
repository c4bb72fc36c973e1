/** What answers to conversations need, which is loaded with the first call. */
export { parseChatWithPreset } from "./request/parseChatWithPreset.ts"
export { toPieces } from "./stream/AnswerPiece.ts"
