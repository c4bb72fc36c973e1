/** The exports of the package, listed one by one. */
export {
  makeDeltaParser,
  makeDeltaWriter,
  parseChoice,
  writeChoice,
  writeEvents,
  writeReply,
  type WrittenChoice,
  type WrittenDelta,
  type WrittenEvent
} from "./chatForm.ts"
export { checkGeminiEvents } from "./checkGeminiEvents.ts"
export { checkMessagesEvents, type NamedServerSentEvent } from "./checkMessagesEvents.ts"
export { checkResponsesEvents, type ResponsesEventsOptions } from "./checkResponsesEvents.ts"
export type {
  EmbeddingFlaw,
  Flaw,
  ImageFlaw,
  RankingFlaw,
  Report,
  Timeline,
  ToolCall,
  Wait
} from "./Content.ts"
export type { ServerSentEvent } from "./ServerSentEvent.ts"
export type { Distribution, Distributions } from "./Distribution.ts"
export { fetchWithSecrets } from "./fetchWithSecrets.ts"
export * as fault from "./fault.ts"
export type { Gate } from "./Gate.ts"
export { audioOf } from "./toAudioResponse.ts"
export { imageOf } from "./imageOf.ts"
export { makeMemoryServices } from "./makeMemoryServices.ts"
export * as pace from "./pace.ts"
export type {
  CallerApi,
  ExpectedAnswer,
  ExpectedCall,
  Quirk,
  QuirkDialect,
  QuirkRequest,
  RefusesQuirk,
  SendsQuirk
} from "./quirks/Quirk.ts"
export type { Condition } from "./quirks/Condition.ts"
export { quirkProviders, type QuirkProvider } from "./quirks/quirkProviders.ts"
export { findRefusal, quirks } from "./quirks/quirks.ts"
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
export { type Refusal, ScriptedUpstream, type ScriptedUpstreamOptions } from "./ScriptedUpstream.ts"
export type { ScriptedVideoJob, ScriptedVideos, ScriptedVideoStatus } from "./ScriptedVideos.ts"
export type { ResponsePhase, ExchangePhase, Step } from "./Step.ts"
