/** The entry point for upstreams, catalog sources and intern hosts: their interfaces and an HTTP client. */
export { CatalogUnavailable } from "./engine/catalog/CatalogErrors.ts"
export {
  type CatalogReading,
  type CatalogSource,
  type LastGoodStore,
  ReportSkipped,
  type SkippedEntry
} from "./engine/catalog/source/CatalogSource.ts"
export { toCatalogTooLarge, toTooManyModels } from "./engine/catalog/source/readSource.ts"
export type { EndpointConfig } from "./engine/catalog/endpoint/Endpoint.ts"
export {
  parseCatalogReading,
  parseModelList,
  type ListProvider,
  type ModelListOptions
} from "./engine/catalog/source/parseModelList.ts"
export type { ModelConfig } from "./engine/catalog/model/Model.ts"
export type { RouterConfig, RouterKind } from "./engine/catalog/model/RouterConfig.ts"
export { CardConfig, ModelCard } from "./engine/catalog/model/ModelCard.ts"
export {
  type InProcessHostOptions,
  makeInProcessHost
} from "./domains/interns/host/InProcessHost.ts"
export { InternChatUsage } from "./domains/interns/chat/InternChatChunk.ts"
export {
  InternChatFailure,
  type InternChatReason
} from "./domains/interns/chat/InternChatRequest.ts"
export {
  type HostedIntern,
  type InternHostView,
  type InternHost,
  InternHostFailure,
  InternHostService,
  type InternStep
} from "./domains/interns/host/InternHost.ts"
export type {
  InternTurnRequest,
  InternAnswer,
  InternChatEvent,
  InternMessage,
  InternPrompt,
  InternTurn
} from "./domains/interns/chat/InternTurn.ts"
export { Answer, Answers, type Verdict } from "./questions/Answer.ts"
export { deriveAnswer } from "./questions/deriveAnswer.ts"
export { Guidance } from "./questions/Question.ts"
export { type AnswerOption, countOptions, listOptions } from "./questions/Question.ts"
export { Choice, Noul, Question, Questions, Score } from "./questions/Question.ts"
export { Settings } from "./instance/Settings.ts"
export { yieldForValue, EventLoop } from "./values/json/yieldToEventLoop.ts"
export type {
  ChatCall,
  ChatCapability,
  ChatChoice,
  ChatDelta,
  ChatEvent,
  ChatEvents,
  ChatReply,
  ChatMetadata
} from "./engine/upstreams/ChatCapability.ts"
export type { ChatFacts, PromptMedium } from "./engine/upstreams/ChatFacts.ts"
export { makeChatCompletions, type ChatEndpoint } from "./dialects/chat/makeChatCompletions.ts"
export {
  type ChatDecisionOptions,
  makeChatDecisions
} from "./engine/upstreams/chatDecisions/makeChatDecisions.ts"
export type {
  DecisionCall,
  DecisionCapability,
  DecisionMethod,
  DecisionReply
} from "./engine/upstreams/DecisionCapability.ts"
export type {
  EmbeddingCall,
  EmbeddingCapability,
  EmbeddingInput,
  EmbeddingPart,
  EmbeddingReply,
  IndexedVector,
  VectorEncoding
} from "./engine/upstreams/EmbeddingCapability.ts"
export {
  type EmbeddingEndpoint,
  type EmbeddingTokenLimits,
  estimateEmbeddingWorstCase,
  makeEmbeddings
} from "./engine/upstreams/openaiEmbeddings/makeEmbeddings.ts"
export type {
  ImageCall,
  ImageCapability,
  ImageProgress,
  ImageReply,
  MadeImage
} from "./engine/upstreams/ImageCapability.ts"
export {
  estimateImageWorstCase,
  type ImageTokenLimits
} from "./engine/upstreams/images/estimateImageWorstCase.ts"
export {
  findAspectRatio,
  findPixelSize,
  findResolution
} from "./engine/upstreams/images/imageSize.ts"
export { loadImage, type LoadedImage } from "./engine/upstreams/images/loadImage.ts"
export {
  type ImageAnswerOptions,
  parseImageReply,
  requestImages
} from "./engine/upstreams/images/requestImages.ts"
export { estimateRerankWorstCase } from "./engine/upstreams/rerank/makeRerankCapability.ts"
export {
  makeRerankCapability,
  type RerankEndpoint
} from "./engine/upstreams/rerank/makeRerankCapability.ts"
export type {
  RerankCall,
  RerankCapability,
  RerankDocument,
  RerankReply,
  RerankResult
} from "./engine/upstreams/RerankCapability.ts"
export type {
  SpeechCall,
  SpeechCapability,
  SpeechEvent,
  VoiceReference
} from "./engine/upstreams/SpeechCapability.ts"
export type {
  AudioFile,
  TimeGranularity,
  TranscriptionCall,
  TranscriptionCapability,
  TranscriptionReply,
  TranscriptSegment,
  TranscriptWord
} from "./engine/upstreams/TranscriptionCapability.ts"
export { makeSpeech, type SpeechEndpoint } from "./engine/upstreams/openaiAudio/makeSpeech.ts"
export {
  makeTranscription,
  type TranscriptionEndpoint
} from "./engine/upstreams/openaiAudio/makeTranscription.ts"
export { estimateSpeechWorstCase } from "./engine/upstreams/openaiAudio/makeSpeech.ts"
export { estimateTranscriptionWorstCase } from "./engine/upstreams/openaiAudio/makeTranscription.ts"
export { type BytesAnswer, postForBytes } from "./engine/upstreams/transport/postForBytes.ts"
export type { AudioFormat } from "./values/audio/AudioFormat.ts"
export { chooseChat } from "./engine/upstreams/completeChat.ts"
export { fromDecisionModel } from "./engine/upstreams/fromDecisionModel.ts"
export { ExternalContentClient } from "./engine/upstreams/transport/ExternalContentClient.ts"
export { type ContentRequest, getContent } from "./engine/upstreams/transport/getContent.ts"
export { makeProbe, type UpstreamProbe } from "./engine/upstreams/Upstream.ts"
export { resolveHostKey, type HostKeyOptions } from "./engine/upstreams/resolveHostKey.ts"
export { findEmbeddedFailure } from "./engine/upstreams/failures/findEmbeddedFailure.ts"
export { findFailureKind } from "./engine/upstreams/failures/toResponseFailure.ts"
export type { CostParser } from "./engine/upstreams/openaiChat/parseChatUsage.ts"
export { classifyTransportError } from "./engine/upstreams/failures/toTransportFailure.ts"
export { toResponseFailure } from "./engine/upstreams/failures/toResponseFailure.ts"
export {
  type ChatTokenLimits,
  estimateChatWorstCase
} from "./engine/upstreams/openaiChat/estimateChatWorstCase.ts"
export { isPossiblyAccepted } from "./engine/upstreams/failures/UpstreamFailure.ts"
export type { Push, PushStream } from "./values/push/PushStream.ts"
export { toStream } from "./values/push/toStream.ts"
export type { EventReader } from "./engine/upstreams/transport/EventDecoder.ts"
export { type EventStreamRequest, streamEvents } from "./engine/upstreams/transport/streamEvents.ts"
export {
  deleteJson,
  type FormFile,
  type FormRequest,
  getJson,
  getSizedJson,
  type JsonRequest,
  postForm,
  postJson
} from "./engine/upstreams/transport/jsonRequests.ts"
export { type ProviderMetadata, Upstream } from "./engine/upstreams/Upstream.ts"
export {
  FailureKind,
  FailurePhase,
  UpstreamFailure
} from "./engine/upstreams/failures/UpstreamFailure.ts"
export {
  type AccessToken,
  makeTokenSigner,
  type TokenProvider
} from "./engine/upstreams/transport/makeTokenSigner.ts"
export {
  type ExpiringCredential,
  SharedCredential
} from "./engine/upstreams/transport/SharedCredential.ts"
export type {
  Refusal,
  Signature,
  Signer,
  UnsignedRequest
} from "./engine/upstreams/transport/Signer.ts"
export type {
  FailureReader,
  UpstreamRequest
} from "./engine/upstreams/transport/UpstreamRequest.ts"
export { UpstreamVideoId } from "./engine/upstreams/VideoReport.ts"
export type {
  FrameImage,
  InputReference,
  UpstreamVideoJob,
  VideoSubmission,
  VideoCall,
  VideoCapability,
  VideoContentCall
} from "./engine/upstreams/VideoCapability.ts"
export type { ByteRange, ContentRange, VideoContent } from "./engine/upstreams/VideoReport.ts"
export type { VideoOutput, VideoReport } from "./engine/upstreams/VideoReport.ts"
export * as NanoUsd from "./values/usage/NanoUsd.ts"
export type { ServerCalls } from "./values/usage/ModelUsage.ts"
export { sumUsage, type TokenUsage } from "./values/usage/TokenUsage.ts"
export type { VideoUsage } from "./values/usage/ModelUsage.ts"
export { checkOptionTypes, type OptionTypes } from "./values/validation/checkFieldNames.ts"
