/** The entry point for typed clients: the operations, requests and responses of the HTTP API. It imports no service. */
export { Api, type OperationId, type OperationResponse } from "./api/Api.ts"
export {
  type DiagramOptions,
  reliabilityDiagram
} from "./domains/calibration/reliabilityDiagram.ts"
export type { ReliabilityBin } from "./domains/calibration/reliability.ts"
export type { Alert } from "./engine/observability/alerts/Alert.ts"
export { VideoCapabilities } from "./engine/catalog/model/VideoCapabilities.ts"
export {
  ChatChunk,
  type ChatChunkChoice,
  type ChatChunkDelta,
  type ToolCallDelta
} from "./domains/chat/stream/ChatChunk.ts"
export {
  ChatCompletion,
  type ChatCompletionChoice,
  ChatUsage,
  type FinishReason
} from "./domains/chat/ChatCompletion.ts"
export type {
  ChatParameters,
  ChatTool,
  CustomTool,
  FunctionTool,
  Reasoning,
  ReasoningEffort,
  ResponseFormat,
  ServerFields,
  ServerTool,
  ToolChoice
} from "./domains/chat/request/ChatParameters.ts"
export type {
  AssistantMessage,
  AudioPart,
  CacheControl,
  ChatRequestMessage,
  ContentPart,
  CustomToolCall,
  FilePart,
  FunctionMessage,
  ImagePart,
  PastAssistantMessage,
  RefusalPart,
  SystemMessage,
  TextPart,
  ToolCall,
  ToolMessage,
  UserMessage,
  VideoPart
} from "./domains/chat/request/ChatRequestMessage.ts"
export { ChatRequest } from "./domains/chat/request/ChatRequest.ts"
export type { ErrorMetadata } from "./api/errors/ErrorReason.ts"
export type { ErrorReason } from "./api/errors/ErrorReason.ts"
export type { AttemptMetadata, RoutingMetadata } from "./routing/RoutingMetadata.ts"
export type { RouteReport } from "./api/inProcess/CallRecorder.ts"
export {
  type Message,
  type MessageBlock,
  MessageSchema,
  MessageUsage,
  type StopReason
} from "./domains/messages/Message.ts"
export type { BlockDelta, MessageEvent } from "./domains/messages/Message.ts"
export {
  type MessagesRequest,
  type MessagesRequestBlock,
  type MessagesRequestMessage,
  MessagesRequestSchema,
  type MessagesServerTool,
  type MessagesTool,
  type MessagesToolChoice
} from "./domains/messages/MessagesRequest.ts"
export { Decision } from "./domains/decisions/Decision.ts"
export { DecisionRequest } from "./domains/decisions/Decision.ts"
export type {
  BreakerReport,
  EndpointReport,
  HealthSnapshot,
  WindowStats,
  Outage,
  Percentiles,
  Uptime
} from "./engine/health/HealthSnapshot.ts"
export type { HealthResponse } from "./api/reports/ReportsApi.ts"
export { InternChatChunk, InternChatUsage } from "./domains/interns/chat/InternChatChunk.ts"
export { InternChatRequest } from "./domains/interns/chat/InternChatRequest.ts"
export { InternPatch, NewIntern } from "./domains/interns/InternRequest.ts"
export { InternStatus } from "./domains/interns/InternStatus.ts"
export type { InternResponse } from "./domains/interns/toInternResponse.ts"
export type {
  ModelQuery,
  Range as ModelQueryRange,
  ModelSort
} from "./domains/listing/ModelQuery.ts"
export type { ProviderInfo } from "./domains/listing/ProviderInfo.ts"
export type { PublicEndpoint } from "./domains/listing/PublicEndpoint.ts"
export type { VideoModel } from "./domains/listing/VideoModel.ts"
export { Answer, Answers, ChoiceAnswer, NoulAnswer, ScoreAnswer } from "./questions/Answer.ts"
export { ResponseObject, type ResponsesUsage } from "./domains/responses/ResponseObject.ts"
export type {
  ResponsesCallOutput,
  ResponsesInputItem,
  ResponsesInputMessage,
  ResponsesInputPart
} from "./domains/responses/ResponsesRequest.ts"
export type {
  ResponsesAnnotation,
  ResponsesCustomToolCall,
  ResponsesFunctionCall,
  ResponsesHostedItem,
  ResponsesOutputItem,
  ResponsesOutputMessage,
  ResponsesOutputText,
  ResponsesReasoningItem,
  ResponsesRefusal
} from "./domains/responses/ResponsesOutputItem.ts"
export type { ResponsesEvent } from "./domains/responses/ResponsesEvent.ts"
export {
  type ResponsesFormat,
  type ResponsesReasoning,
  ResponsesRequest
} from "./domains/responses/ResponsesRequest.ts"
export type {
  ResponsesCustomTool,
  ResponsesFunction,
  ResponsesHostedTool,
  ResponsesNamespace,
  ResponsesTool,
  ResponsesToolChoice
} from "./domains/responses/ResponsesRequest.ts"
export type { ExplainedCandidate, Explanation } from "./routing/Explanation.ts"
export type { RouterChoice } from "./routing/explainRouters.ts"
export type { CacheReport } from "./routing/cache/AnswerCaching.ts"
export { Preferences, ProviderSort } from "./routing/Preferences.ts"
export type { Demotion, Exclusion, Reason } from "./routing/Reason.ts"
export type { WebhookEvent } from "./tenants/webhooks/Delivery.ts"
export type { VideoResponse } from "./domains/videos/toVideoResponse.ts"
export type { VideoRequest } from "./domains/videos/request/VideoRequest.ts"
export { VideoStatus } from "./domains/videos/VideoStatus.ts"
export { EmbeddingList } from "./domains/embeddings/EmbeddingList.ts"
export { EmbeddingRequest } from "./domains/embeddings/request/EmbeddingRequest.ts"
export { ImageEvent, ImageList } from "./domains/images/ImageList.ts"
export { ImageRequest } from "./domains/images/ImageRequest.ts"
export { Ranking } from "./domains/rerank/Ranking.ts"
export { SpeechRequest } from "./domains/speech/SpeechRequest.ts"
export { type RoutedTranscript, Transcript } from "./domains/transcription/Transcript.ts"
export { TranscriptionRequest } from "./domains/transcription/TranscriptionRequest.ts"
export { RerankRequest } from "./domains/rerank/RerankRequest.ts"
