/** The entry point for simulations: recordings of traffic, and what another strategy would have done with them. */
export {
  compareSimulations,
  type SimulationComparison
} from "./domains/simulator/compareSimulations.ts"
export type {
  AnswerCall,
  SimulatedAnswer,
  SimulatedCall
} from "./domains/simulator/engine/SimulationRun.ts"
export {
  parseRecordedRequest,
  RecordedAttempt,
  RecordedRequest
} from "./domains/simulator/recording/RecordedRequest.ts"
export { renderSimulationHtml } from "./domains/simulator/report/renderHtml.ts"
export { renderSimulationText } from "./domains/simulator/report/describeComparison.ts"
export { toSimulationJson } from "./domains/simulator/report/toSimulationJson.ts"
export {
  simulate,
  type SimulatedModel,
  type SimulateOptions
} from "./domains/simulator/simulate.ts"
export type {
  Extrapolation,
  LatencyFigures,
  LatencyStep,
  LoadFigures,
  SimulationReport
} from "./domains/simulator/SimulationReport.ts"
export { summarizeRecording } from "./domains/simulator/summarizeRecording.ts"
