/** The entry point for reports: tables of text, and pages of HTML with plots. */
export {
  escapeHtml,
  renderHeading,
  renderHtmlTable,
  renderPage,
  renderParagraph
} from "./values/render/renderPage.ts"
export { type PlotAxis, type PlotSeries, renderPlot } from "./values/render/renderPlot.ts"
export { renderTable } from "./values/render/renderTable.ts"
export { escapeControls } from "./values/validation/text.ts"
