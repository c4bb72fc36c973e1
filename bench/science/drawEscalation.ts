/** The plot of accuracy by the share of questions that is asked again. */
import type { EscalationResult } from "./escalationGoals.ts"

const width = 640
const height = 360
const left = 64
const right = 616
const top = 72
const bottom = 312

export const drawEscalation = ({ curve, name }: EscalationResult): string => {
  const accuracies = curve.flatMap(({ atRandom, byConfidence }) => [atRandom, byConfidence])
  const low = Math.floor(Math.min(...accuracies) * 20) / 20
  const high = Math.ceil(Math.max(...accuracies) * 20) / 20
  const x = (share: number): number => left + share * (right - left)
  const y = (accuracy: number): number =>
    bottom - ((accuracy - low) / (high - low)) * (bottom - top)
  const line = (values: ReadonlyArray<readonly [number, number]>, color: string): string =>
    `<polyline fill="none" stroke="${color}" stroke-width="2" points="${values
      .map(([share, accuracy]) => `${x(share).toFixed(1)},${y(accuracy).toFixed(1)}`)
      .join(" ")}"/>`
  const steps = Math.round((high - low) * 20)
  const grid = Array.from({ length: steps + 1 }, (_, step) => {
    const accuracy = low + step / 20
    return (
      `<line x1="${left}" x2="${right}" y1="${y(accuracy).toFixed(1)}" y2="${y(accuracy).toFixed(1)}" stroke="#e4e7eb"/>` +
      `<text x="${left - 8}" y="${(y(accuracy) + 4).toFixed(1)}" text-anchor="end" class="small">${accuracy.toFixed(2)}</text>`
    )
  })
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<text x="${x(share)}" y="${bottom + 18}" text-anchor="middle" class="small">${share * 100} %</text>`
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Accuracy by the share of questions that is asked again: ${name}">
<style>text{font:13px system-ui,sans-serif;fill:#1f2933}.small{font-size:11px}</style>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="16" y="24" font-weight="600">Accuracy by the share that is asked again: ${name}</text>
<text x="16" y="44" class="small">blue: the least sure first; grey: chosen at random</text>
${grid.join("\n")}
${ticks.join("\n")}
${line(
  curve.map(({ atRandom, share }) => [share, atRandom]),
  "#9aa5b1"
)}
${line(
  curve.map(({ byConfidence, share }) => [share, byConfidence]),
  "#2b6cb0"
)}
<text x="${right}" y="${height - 12}" text-anchor="end" class="small">share of the questions that the large model answers</text>
</svg>
`
}
