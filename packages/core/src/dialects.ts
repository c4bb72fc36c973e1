/** The entry point for chats in a dialect of their own: neutral conversations, and translations from and to each dialect. */
export type { Answer, AnswerEnd, EndReason } from "./conversation/Answer.ts"
export type {
  AnswerFormat,
  Conversation,
  CustomTool,
  FunctionTool,
  Logprobs,
  ReasoningSettings,
  Sampling,
  Tool,
  ToolChoice,
  Turn
} from "./conversation/Conversation.ts"
export type { Dialect, Extra } from "./conversation/Dialect.ts"
export type {
  AudioPart,
  CacheMark,
  CallPart,
  FilePart,
  ImagePart,
  MediaSource,
  OpaquePart,
  Part,
  ReasoningPart,
  ResultPart,
  Signature,
  TextPart,
  VideoPart
} from "./conversation/Part.ts"
export {
  type CalledTool,
  getFreeText,
  makeToolFinder,
  type ToolFinder
} from "./dialects/CalledTool.ts"
export { parseArguments } from "./dialects/callArguments.ts"
export { type ChatContent, parseChatConversation } from "./dialects/chat/parseChatConversation.ts"
export {
  parseImages,
  toPicturedAnswer,
  toPicturedChoice,
  writeImage
} from "./dialects/chat/picturedChoice.ts"
export { type ChatRequestContent, writeChatRequest } from "./dialects/chat/writeChatRequest.ts"
export { toGeminiFailure } from "./dialects/gemini/findGeminiFailure.ts"
export type { GeminiModel, GeminiModels } from "./dialects/gemini/GeminiModel.ts"
export { type GeminiEndpoint, makeGeminiChat } from "./dialects/gemini/makeGeminiChat.ts"
export {
  type GeminiStreamOptions,
  makeGeminiEventReader
} from "./dialects/gemini/makeGeminiEventReader.ts"
export { type GeminiReadOptions, parseGeminiAnswer } from "./dialects/gemini/parseGeminiAnswer.ts"
export {
  type GeminiWriteOptions,
  writeGeminiRequest
} from "./dialects/gemini/writeGeminiRequest.ts"
export type { GeminiThinkingForm } from "./dialects/gemini/writeThinkingConfig.ts"
export { guessMediaType, type MediaKind } from "./dialects/gemini/mediaTypes.ts"
export type { NativeRequest } from "./conversation/NativeRequest.ts"
export {
  type ChatDialect,
  type DialectAnswerOptions,
  type DialectCall,
  type DialectEndpoint,
  makeDialectChat,
  toUnsupported
} from "./dialects/makeDialectChat.ts"
export {
  type AnswerPiece,
  ChatDeltaReader,
  type EncryptedPiece,
  type TextPiece,
  type ThoughtPiece
} from "./dialects/messages/ChatDeltaReader.ts"
export { toMessagesFailure } from "./dialects/messages/findMessagesFailure.ts"
export {
  makeMessagesChat,
  type MessagesDialectOptions,
  type MessagesEndpoint
} from "./dialects/messages/makeMessagesChat.ts"
export { makeMessagesEventReader } from "./dialects/messages/makeMessagesEventReader.ts"
export {
  findMessagesModel,
  type MessagesModel,
  type MessagesModels
} from "./dialects/messages/MessagesModel.ts"
export { findImageType, toAudioFormat } from "./dialects/mediaType.ts"
export { parseMessagesAnswer } from "./dialects/messages/parseMessagesAnswer.ts"
export {
  type MessagesWriteOptions,
  writeMessagesRequest
} from "./dialects/messages/writeMessagesRequest.ts"
export type { ThinkingForms } from "./dialects/messages/writeThinkingSettings.ts"
export { pairCalls } from "./dialects/pairCalls.ts"
export { toReasoningEffort } from "./dialects/reasoningBudget.ts"
export {
  dropForeignReasoning,
  isSigningFormat,
  type ReasoningFamily
} from "./dialects/reasoningFamily.ts"
export {
  makeResponsesChat,
  type ResponsesDialectOptions,
  type ResponsesEndpoint
} from "./dialects/responses/makeResponsesChat.ts"
export { makeResponsesEventReader } from "./dialects/responses/makeResponsesEventReader.ts"
export {
  parseResponsesAnswer,
  type ResponsesAnswerOptions
} from "./dialects/responses/parseResponsesAnswer.ts"
export {
  findResponsesModel,
  type ResponsesModel,
  type ResponsesModels
} from "./dialects/responses/ResponsesModel.ts"
export { toResponsesFailure } from "./dialects/responses/responsesFailures.ts"
export {
  type ResponsesRequestOptions,
  writeResponsesRequest
} from "./dialects/responses/writeResponsesRequest.ts"
export type { CallPiece, StreamedCall } from "./dialects/StreamedCalls.ts"
export { thinkingParameters } from "./dialects/thinkingParameters.ts"
export { commonNames, makeToolNames, type NameRules, type ToolNames } from "./dialects/ToolNames.ts"
export { UntranslatableRequest } from "./dialects/UntranslatableRequest.ts"
