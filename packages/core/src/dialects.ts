/** The entry point for chats in a dialect of their own: neutral conversations, and translations from and to each dialect. */
export type { Answer, AnswerEnd, EndReason } from "./conversation/Answer.ts"
export type {
  AnswerEvent,
  CallEvent,
  CitationEvent,
  EncryptedEvent,
  MediaEvent,
  OpaqueEvent,
  RefusalEvent,
  SignatureEvent,
  StreamedCall,
  TextEvent,
  ThoughtEvent
} from "./conversation/Answer.ts"
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
  Citation,
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
export type {
  AnswerBlock,
  BlockRules,
  CallBlock,
  EncryptedBlock,
  RefusalBlock,
  TextBlock,
  ThoughtBlock
} from "./dialects/AnswerBlock.ts"
export { AnswerBlocks } from "./dialects/AnswerBlocks.ts"
export { parseArguments, writePastArguments } from "./dialects/CalledTool.ts"
export { addCitations, parseChatAnswer } from "./dialects/chat/parseChatAnswer.ts"
export { writeChatMessage } from "./dialects/chat/writeAnswer.ts"
export { ChatDeltaWriter } from "./dialects/chat/writeEvents.ts"
export { makeChatDeltaReader } from "./dialects/chat/makeChatDeltaReader.ts"
export { type ChatContent, parseChatConversation } from "./dialects/chat/parseRequest.ts"
export { writePart as writeChatPart } from "./dialects/chat/writeContent.ts"
export { type ChatRequestContent, writeChatRequest } from "./dialects/chat/writeRequest.ts"
export type { ChatServerModel } from "./dialects/chat/ChatServerModel.ts"
export { toMoonshotSchema } from "./dialects/chat/moonshotSchema.ts"
export { type ChatCallInput, makeChatCall } from "./dialects/chat/makeChatCall.ts"
export type { ChatBody, ChatBodyMessage } from "./engine/upstreams/openaiChat/ChatBody.ts"
export { makeChatFit } from "./dialects/chat/makeChatFit.ts"
export type { ReasoningParameter } from "./dialects/chat/reasoningParameters.ts"
export { toGeminiFailure } from "./dialects/gemini/findGeminiFailure.ts"
export { parseGeminiUsage } from "./dialects/gemini/geminiUsage.ts"
export type { GeminiModel, GeminiModels } from "./dialects/gemini/GeminiModel.ts"
export { type GeminiEndpoint, makeGeminiChat } from "./dialects/gemini/makeGeminiChat.ts"
export { type GeminiStreamOptions, makeGeminiEventReader } from "./dialects/gemini/readEvents.ts"
export { type GeminiReadOptions, parseGeminiAnswer } from "./dialects/gemini/readAnswer.ts"
export { type GeminiWriteOptions, writeGeminiRequest } from "./dialects/gemini/writeRequest.ts"
export type { GeminiThinkingForm } from "./dialects/gemini/writeThinkingConfig.ts"
export { guessMediaType, type MediaKind } from "./dialects/gemini/mediaTypes.ts"
export type { NativeRequest } from "./conversation/Dialect.ts"
export {
  type ChatDialect,
  type DialectAnswerOptions,
  type DialectCall,
  type DialectEndpoint,
  makeDialectChat
} from "./dialects/makeDialectChat.ts"
export { toUnsupported } from "./dialects/UntranslatableRequest.ts"
export { toMessagesFailure } from "./dialects/messages/findMessagesFailure.ts"
export {
  makeMessagesChat,
  type MessagesDialectOptions,
  type MessagesEndpoint
} from "./dialects/messages/makeMessagesChat.ts"
export { makeMessagesEventReader } from "./dialects/messages/readEvents.ts"
export {
  findMessagesModel,
  type MessagesModel,
  type MessagesModels
} from "./dialects/messages/MessagesModel.ts"
export { findImageType, toAudioFormat } from "./dialects/mediaType.ts"
export { parseMessagesAnswer } from "./dialects/messages/readAnswer.ts"
export {
  type MessagesWriteOptions,
  writeMessagesRequest
} from "./dialects/messages/writeRequest.ts"
export type { ForcedTools, ThinkingForms } from "./dialects/messages/writeThinkingSettings.ts"
export type { AnswerHead } from "./domains/chat/ChatCompletion.ts"
export { type ChatAnswer, type ChatEnd, toChatCompletion } from "./domains/chat/ChatAnswer.ts"
export type { AnswerFields } from "./domains/chat/answer.ts"
export { type AnswerPiece, makeChunkWriter } from "./domains/chat/stream/AnswerPiece.ts"
export { toFinishReason } from "./dialects/parts/finishReason.ts"
export type { MediaPart, PartForms, WrittenCall } from "./dialects/parts/PartForms.ts"
export {
  parsePartOptions,
  type PartOptions,
  type ReasoningMetadata,
  type SignatureMetadata,
  type TextMetadata
} from "./dialects/parts/partMetadata.ts"
export { toPartUsage } from "./dialects/parts/partUsage.ts"
export { addReasoning, toCallPart, toMediaPart, toTextPart } from "./dialects/parts/promptParts.ts"
export { type AnswerDelta, StreamedPartWriter } from "./dialects/parts/StreamedPartWriter.ts"
export { writeParts } from "./dialects/parts/writeParts.ts"
export { pairCalls } from "./dialects/pairCalls.ts"
export { rememberModels } from "./dialects/rememberModels.ts"
export { findLostFields } from "./dialects/lost/reportLostFields.ts"
export { RequestChanges, reportForeignParts } from "./dialects/RequestChanges.ts"
export { toReasoningEffort } from "./dialects/reasoningEffort.ts"
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
export { makeResponsesEventReader } from "./dialects/responses/readEvents.ts"
export {
  parseResponsesAnswer,
  type ResponsesAnswerOptions
} from "./dialects/responses/readAnswer.ts"
export {
  findResponsesModel,
  type ResponsesModel,
  type ResponsesModels
} from "./dialects/responses/ResponsesModel.ts"
export { toResponsesFailure } from "./dialects/responses/responsesFailures.ts"
export {
  type ResponsesRequestOptions,
  writeResponsesRequest
} from "./dialects/responses/writeRequest.ts"
export { thinkingParameters } from "./dialects/reasoningEffort.ts"
export { commonNames, makeToolNames, type NameRules, type ToolNames } from "./dialects/ToolNames.ts"
export { chatIds, type IdRules, litellmIds, mistralIds } from "./dialects/toDialectId.ts"
export { UntranslatableRequest } from "./dialects/UntranslatableRequest.ts"
