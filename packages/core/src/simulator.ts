/** The entry point for simulations: recordings of traffic, and what another strategy would have done with them. */
export { compareSimulations, type SimulationComparison } from "./simulator/compareSimulations.ts"
export type {
  AnswerCall,
  SimulatedAnswer,
  SimulatedCall
} from "./simulator/engine/SimulatedAnswer.ts"
export { escapeHtml } from "./simulator/page/escapeHtml.ts"
export {
  renderHeading,
  renderHtmlTable,
  renderPage,
  renderParagraph
} from "./simulator/page/renderPage.ts"
export { type PlotAxis, type PlotSeries, renderPlot } from "./simulator/page/renderPlot.ts"
export { renderTable } from "./simulator/page/renderTable.ts"
export { escapeControls } from "./values/validation/visibleText.ts"
export { parseRecordedRequest } from "./simulator/recording/parseRecordedRequest.ts"
export { RecordedAttempt, RecordedRequest } from "./simulator/recording/RecordedRequest.ts"
export { renderSimulationHtml } from "./simulator/report/renderHtml.ts"
export { renderSimulationText } from "./simulator/report/renderText.ts"
export { toSimulationJson } from "./simulator/report/toSimulationJson.ts"
export { simulate, type SimulatedModel, type SimulateOptions } from "./simulator/simulate.ts"
export type {
  Extrapolation,
  LatencyFigures,
  LatencyStep,
  LoadFigures,
  SimulationReport
} from "./simulator/SimulationReport.ts"
export { summarizeRecording } from "./simulator/summarizeRecording.ts"
