/** The entry point for upstreams, catalog sources and intern hosts: their interfaces and an HTTP client. */
export { CatalogUnavailable } from "./catalog/CatalogErrors.ts"
export {
  type CatalogReading,
  type CatalogSource,
  type LastGoodStore,
  ReportSkipped,
  type SkippedEntry
} from "./catalog/source/CatalogSource.ts"
export { toCatalogTooLarge, toTooManyModels } from "./catalog/source/readSource.ts"
export type { EndpointConfig } from "./catalog/endpoint/Endpoint.ts"
export {
  parseCatalogReading,
  parseModelList,
  type ListProvider,
  type ModelListOptions
} from "./catalog/source/parseModelList.ts"
export type { ModelConfig } from "./catalog/model/Model.ts"
export { CardConfig, ModelCard } from "./catalog/model/ModelCard.ts"
export { type InProcessHostOptions, makeInProcessHost } from "./interns/host/InProcessHost.ts"
export { InternChatUsage } from "./interns/chat/InternChatChunk.ts"
export { InternChatFailure, type InternChatReason } from "./interns/chat/InternChatErrors.ts"
export {
  type HostedIntern,
  type InternHostView,
  type InternHost,
  InternHostFailure,
  InternHostService,
  type InternStep
} from "./interns/host/InternHost.ts"
export type {
  InternTurnRequest,
  InternAnswer,
  InternChatEvent,
  InternMessage,
  InternPrompt,
  InternTurn
} from "./interns/chat/InternTurn.ts"
export { Answer, Answers } from "./questions/Answer.ts"
export { deriveAnswer } from "./questions/deriveAnswer.ts"
export { Guidance } from "./questions/Guidance.ts"
export { type AnswerOption, countOptions, listOptions } from "./questions/listOptions.ts"
export { Choice, Noul, Question, Questions, Score } from "./questions/Question.ts"
export type { Verdict } from "./questions/Verdict.ts"
export { Settings } from "./Settings.ts"
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
} from "./upstreams/ChatCapability.ts"
export type { ChatFacts, PromptMedium } from "./upstreams/ChatFacts.ts"
export { makeChatCompletions, type ChatEndpoint } from "./dialects/chat/makeChatCompletions.ts"
export {
  type ChatDecisionOptions,
  makeChatDecisions
} from "./upstreams/chatDecisions/makeChatDecisions.ts"
export type {
  DecisionCall,
  DecisionCapability,
  DecisionMethod,
  DecisionReply
} from "./upstreams/DecisionCapability.ts"
export type {
  EmbeddingCall,
  EmbeddingCapability,
  EmbeddingInput,
  EmbeddingPart,
  EmbeddingReply,
  IndexedVector,
  VectorEncoding
} from "./upstreams/EmbeddingCapability.ts"
export {
  type EmbeddingEndpoint,
  makeEmbeddings
} from "./upstreams/openaiEmbeddings/makeEmbeddings.ts"
export {
  type EmbeddingTokenLimits,
  estimateEmbeddingWorstCase
} from "./upstreams/openaiEmbeddings/estimateEmbeddingWorstCase.ts"
export { estimateRerankWorstCase } from "./upstreams/rerank/estimateRerankWorstCase.ts"
export {
  makeRerankCapability,
  type RerankEndpoint
} from "./upstreams/rerank/makeRerankCapability.ts"
export type {
  RerankCall,
  RerankCapability,
  RerankDocument,
  RerankReply,
  RerankResult
} from "./upstreams/RerankCapability.ts"
export { chooseChat } from "./upstreams/chooseChat.ts"
export { fromDecisionModel } from "./upstreams/fromDecisionModel.ts"
export { ExternalContentClient } from "./upstreams/transport/ExternalContentClient.ts"
export { type ContentRequest, getContent } from "./upstreams/transport/getContent.ts"
export { makeProbe, type UpstreamProbe } from "./upstreams/UpstreamProbe.ts"
export { resolveHostKey, type HostKeyOptions } from "./upstreams/resolveHostKey.ts"
export { findEmbeddedFailure } from "./upstreams/failures/findEmbeddedFailure.ts"
export { findFailureKind } from "./upstreams/failures/findFailureKind.ts"
export type { CostParser } from "./upstreams/openaiChat/parseChatUsage.ts"
export { classifyTransportError } from "./upstreams/failures/toTransportFailure.ts"
export { toResponseFailure } from "./upstreams/failures/toResponseFailure.ts"
export {
  type ChatTokenLimits,
  estimateChatWorstCase
} from "./upstreams/openaiChat/estimateChatWorstCase.ts"
export { isPossiblyAccepted } from "./upstreams/failures/isPossiblyAccepted.ts"
export type { Push, PushStream } from "./values/push/PushStream.ts"
export { toStream } from "./values/push/toStream.ts"
export type { EventReader } from "./upstreams/transport/EventDecoder.ts"
export { type EventStreamRequest, streamEvents } from "./upstreams/transport/streamEvents.ts"
export {
  deleteJson,
  type FormFile,
  type FormRequest,
  getJson,
  getSizedJson,
  type JsonRequest,
  postForm,
  postJson
} from "./upstreams/transport/jsonRequests.ts"
export { type ProviderMetadata, Upstream } from "./upstreams/Upstream.ts"
export { FailureKind, FailurePhase, UpstreamFailure } from "./upstreams/failures/UpstreamFailure.ts"
export {
  type AccessToken,
  makeTokenSigner,
  type TokenProvider
} from "./upstreams/transport/makeTokenSigner.ts"
export {
  type ExpiringCredential,
  SharedCredential
} from "./upstreams/transport/SharedCredential.ts"
export type { Refusal, Signature, Signer, UnsignedRequest } from "./upstreams/transport/Signer.ts"
export type { FailureReader, UpstreamRequest } from "./upstreams/transport/UpstreamRequest.ts"
export { UpstreamVideoId } from "./upstreams/UpstreamVideoId.ts"
export type {
  FrameImage,
  InputReference,
  UpstreamVideoJob,
  VideoSubmission,
  VideoCall,
  VideoCapability,
  VideoContentCall
} from "./upstreams/VideoCapability.ts"
export type { ByteRange, ContentRange, VideoContent } from "./upstreams/VideoContent.ts"
export type { VideoOutput, VideoReport } from "./upstreams/VideoReport.ts"
export * as NanoUsd from "./values/usage/NanoUsd.ts"
export type { ServerCalls } from "./values/usage/ServerCalls.ts"
export { sumUsage, type TokenUsage } from "./values/usage/TokenUsage.ts"
export type { VideoUsage } from "./values/usage/VideoUsage.ts"
export { checkOptionTypes, type OptionTypes } from "./values/validation/checkOptionTypes.ts"
