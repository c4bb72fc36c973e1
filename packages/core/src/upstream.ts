/** For whoever provides models, a catalog or a home for interns: what the router asks of them, and the means to answer over HTTP. */
export { CatalogUnavailable } from "./catalog/CatalogErrors.ts"
export type { CatalogCopy, CatalogSource } from "./catalog/CatalogSource.ts"
export type { EndpointConfig } from "./catalog/Endpoint.ts"
export { fromWire, type ServedBy, type WireOptions } from "./catalog/fromWire.ts"
export type { ModelConfig } from "./catalog/Model.ts"
export { CardConfig, ModelCard } from "./catalog/ModelCard.ts"
export { type InProcessOptions, inProcessHost } from "./interns/inProcessHost.ts"
export { InternChatUsage } from "./interns/InternChatChunk.ts"
export { InternChatFailure, type InternChatReason } from "./interns/InternChatErrors.ts"
export {
  type HostedIntern,
  type InternFacts,
  type InternHost,
  InternHostFailure,
  InternHosting,
  type InternStep
} from "./interns/InternHost.ts"
export type {
  AskedTurn,
  InternAnswer,
  InternChatEvent,
  InternMessage,
  InternPrompt,
  InternTurn
} from "./interns/InternTurn.ts"
export { Answer, Answers } from "./questions/Answer.ts"
export { deriveAnswer } from "./questions/deriveAnswer.ts"
export { Guidance } from "./questions/Guidance.ts"
export { type AnswerOption, optionCount, options } from "./questions/options.ts"
export { Choice, Noul, Question, Questions, Score } from "./questions/Question.ts"
export type { Verdict } from "./questions/Verdict.ts"
export { Settings } from "./Settings.ts"
export { turnFor, Turns } from "./values/ownTurn.ts"
export type {
  ChatCall,
  ChatCapability,
  ChatChoice,
  ChatDelta,
  ChatEvent,
  ChatMessage,
  ChatReply,
  ChatReport
} from "./upstreams/ChatCapability.ts"
export { chatCompletions, type ChatEndpoint } from "./upstreams/chatCompletions.ts"
export type {
  DecisionCall,
  DecisionCapability,
  DecisionMethod,
  DecisionReply
} from "./upstreams/DecisionCapability.ts"
export { fromDecisionModel } from "./upstreams/fromDecisionModel.ts"
export { ForeignContent } from "./upstreams/ForeignContent.ts"
export { type ContentRequest, getContent } from "./upstreams/getContent.ts"
export { hostKey, type HostKeyOptions } from "./upstreams/hostKey.ts"
export { kindOfCode } from "./upstreams/kindOfCode.ts"
export type { CostOf } from "./upstreams/readChatUsage.ts"
export { mayBeAccepted } from "./upstreams/mayBeAccepted.ts"
export { type EventReader, type EventsRequest, postEvents } from "./upstreams/postEvents.ts"
export {
  deleteJson,
  type FormFile,
  type FormRequest,
  getJson,
  type JsonRequest,
  postForm,
  postJson
} from "./upstreams/requestJson.ts"
export { type ProviderFacts, Upstream } from "./upstreams/Upstream.ts"
export { FailureKind, Phase, UpstreamFailure } from "./upstreams/UpstreamFailure.ts"
export type { UpstreamRequest } from "./upstreams/UpstreamRequest.ts"
export { UpstreamVideoId } from "./upstreams/UpstreamVideoId.ts"
export type {
  FrameImage,
  InputReference,
  UpstreamVideoJob,
  VideoAccepted,
  VideoCall,
  VideoCapability,
  VideoContentCall
} from "./upstreams/VideoCapability.ts"
export type { ByteRange, ContentStretch, VideoContent } from "./upstreams/VideoContent.ts"
export type { VideoOutput, VideoReport } from "./upstreams/VideoReport.ts"
export * as NanoUsd from "./values/NanoUsd.ts"
export { sumUsage, type TokenUsage } from "./values/TokenUsage.ts"
export type { VideoUsage } from "./values/VideoUsage.ts"
export { checkTypes, type OptionTypes } from "./values/checkTypes.ts"
