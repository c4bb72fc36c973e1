/** The exports of the package, listed one by one. */
export { checkGeminiEvents } from "./checkGeminiEvents.ts"
export { checkMessagesEvents, type NamedServerSentEvent } from "./checkMessagesEvents.ts"
export { checkResponsesEvents, type ResponsesEventsOptions } from "./checkResponsesEvents.ts"
export type {
  EmbeddingFlaw,
  Flaw,
  RankingFlaw,
  Report,
  ServerSentEvent,
  Timeline,
  ToolCall,
  Wait
} from "./Content.ts"
export type { Distribution, Distributions } from "./Distribution.ts"
export { fetchWithSecrets } from "./fetchWithSecrets.ts"
export * as fault from "./fault.ts"
export type { Gate } from "./Gate.ts"
export { makeMemoryServices } from "./makeMemoryServices.ts"
export * as pace from "./pace.ts"
export type { RecordedRequest } from "./RecordedRequest.ts"
export * as reply from "./reply.ts"
export type { Scripted } from "./Script.ts"
export {
  makeReply,
  type HostCall,
  makeHostFailure,
  type HostTurn,
  type InternCall,
  type InternCallOutcome,
  ScriptedInternHost,
  type ScriptedInternHostOptions,
  type InternTurnOutcome,
  makeTurnFailure
} from "./ScriptedInternHost.ts"
export { vectorOf } from "./vectorOf.ts"
export { ScriptedUpstream } from "./ScriptedUpstream.ts"
export type { ScriptedVideoJob, ScriptedVideos, ScriptedVideoStatus } from "./ScriptedVideos.ts"
export type { ResponsePhase, ExchangePhase, Step } from "./Step.ts"
