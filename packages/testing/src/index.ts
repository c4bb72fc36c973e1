/** The public face of the test kit. Exports are listed one by one. */
export type { Flaw, Report, ServerSentEvent, Timeline, ToolCall, Wait } from "./Content.ts"
export type { Distribution, Distributions } from "./Distribution.ts"
export { fetchedBy } from "./fetchedBy.ts"
export * as fault from "./fault.ts"
export type { Gate } from "./Gate.ts"
export { memoryServices } from "./memoryServices.ts"
export * as pace from "./pace.ts"
export type { RecordedRequest } from "./RecordedRequest.ts"
export * as reply from "./reply.ts"
export type { Scripted } from "./Script.ts"
export {
  answers,
  type HostCall,
  hostFails,
  type HostTurn,
  type InternCall,
  type InternFate,
  ScriptedInternHost,
  type ScriptedInternTraits,
  type TurnFate,
  turnFails
} from "./ScriptedInternHost.ts"
export { ScriptedUpstream } from "./ScriptedUpstream.ts"
export type { ScriptedVideoJob, ScriptedVideos, VideoMoment } from "./ScriptedVideos.ts"
export type { AnsweringMoment, Moment, Step } from "./Step.ts"
