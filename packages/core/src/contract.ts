/** The entry point for typed clients: the operations, requests and responses of the HTTP API. It imports no service. */
export { Api } from "./http/Api.ts"
export { type DiagramOptions, reliabilityDiagram } from "./calibration/reliabilityDiagram.ts"
export type { ReliabilityBin } from "./calibration/reliability.ts"
export { VideoCapabilities } from "./catalog/model/VideoCapabilities.ts"
export {
  ChatChunk,
  type ChatChunkChoice,
  type ChatChunkDelta,
  type ToolCallDelta
} from "./chat/stream/ChatChunk.ts"
export {
  ChatCompletion,
  type ChatCompletionChoice,
  ChatUsage,
  type FinishReason
} from "./chat/ChatCompletion.ts"
export type {
  ChatParameters,
  ChatTool,
  CustomTool,
  FunctionTool,
  Reasoning,
  ReasoningEffort,
  ResponseFormat,
  ServerTool,
  ToolChoice
} from "./chat/request/ChatParameters.ts"
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
} from "./chat/request/ChatRequestMessage.ts"
export { ChatRequest } from "./chat/request/ChatRequest.ts"
export type { RouteReport } from "./http/inProcess/CallRecorder.ts"
export {
  type Message,
  type MessageBlock,
  MessageSchema,
  MessageUsage,
  type StopReason
} from "./messages/Message.ts"
export type { BlockDelta, MessageEvent } from "./messages/MessageEvent.ts"
export {
  type MessagesRequest,
  type MessagesRequestBlock,
  type MessagesRequestMessage,
  MessagesRequestSchema,
  type MessagesServerTool,
  type MessagesTool,
  type MessagesToolChoice
} from "./messages/MessagesRequest.ts"
export { Decision } from "./decisions/Decision.ts"
export { DecisionRequest } from "./decisions/DecisionRequest.ts"
export type {
  BreakerReport,
  EndpointReport,
  HealthSnapshot,
  WindowStats,
  Outage,
  Percentiles,
  Uptime
} from "./health/HealthSnapshot.ts"
export type { OperationId, OperationResponse } from "./http/contractOperations.ts"
export type { ReadinessResponse } from "./http/reports/ReportsApi.ts"
export { InternChatChunk, InternChatUsage } from "./interns/chat/InternChatChunk.ts"
export { InternChatRequest } from "./interns/chat/InternChatRequest.ts"
export { InternPatch, NewIntern } from "./interns/InternRequest.ts"
export { InternStatus } from "./interns/InternStatus.ts"
export { type InternResponse } from "./interns/toInternResponse.ts"
export type { ModelQuery, Range as ModelQueryRange, ModelSort } from "./listing/ModelQuery.ts"
export type { ProviderInfo } from "./listing/ProviderInfo.ts"
export type { PublicEndpoint } from "./listing/PublicEndpoint.ts"
export type { VideoModel } from "./listing/VideoModel.ts"
export { Answer, Answers, ChoiceAnswer, NoulAnswer, ScoreAnswer } from "./questions/Answer.ts"
export { ResponseObject, type ResponsesUsage } from "./responses/ResponseObject.ts"
export type {
  ResponsesCallOutput,
  ResponsesInputItem,
  ResponsesInputMessage,
  ResponsesInputPart
} from "./responses/ResponsesInputItem.ts"
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
} from "./responses/ResponsesOutputItem.ts"
export type { ResponsesEvent } from "./responses/ResponsesEvent.ts"
export {
  type ResponsesFormat,
  type ResponsesReasoning,
  ResponsesRequest
} from "./responses/ResponsesRequest.ts"
export type {
  ResponsesCustomTool,
  ResponsesFunction,
  ResponsesHostedTool,
  ResponsesNamespace,
  ResponsesTool,
  ResponsesToolChoice
} from "./responses/ResponsesTool.ts"
export type { ExplainedCandidate, Explanation } from "./routing/Explanation.ts"
export { Preferences, ProviderSort } from "./routing/Preferences.ts"
export type { Demotion, Exclusion, Reason } from "./routing/Reason.ts"
export type { WebhookEvent } from "./webhooks/WebhookEvent.ts"
export type { VideoResponse } from "./videos/toVideoResponse.ts"
export type { VideoRequest } from "./videos/request/VideoRequest.ts"
export { VideoStatus } from "./videos/VideoStatus.ts"
export { EmbeddingList } from "./embeddings/EmbeddingList.ts"
export { EmbeddingRequest } from "./embeddings/request/EmbeddingRequest.ts"
export { Ranking } from "./rerank/Ranking.ts"
export { RerankRequest } from "./rerank/RerankRequest.ts"
