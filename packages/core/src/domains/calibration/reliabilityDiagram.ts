/** Draws a reliability diagram as SVG. */
import type { ReliabilityBin } from "./reliability.ts"

/** What a diagram shows. */
export interface DiagramOptions {
  readonly title: string
  /** Bins of the answers as the model gave them, drawn in grey; absent: none. */
  readonly before?: ReadonlyArray<ReliabilityBin>
  /** Bins of the calibrated answers. */
  readonly bins: ReadonlyArray<ReliabilityBin>
  /** Lines of text below the title. */
  readonly notes?: ReadonlyArray<string>
}

/**
 * A reliability diagram as an SVG document: for each bin with answers a dot at its mean confidence and accuracy with
 * Wilson's interval, its area by the number of answers, beside the diagonal of perfect calibration.
 */
export const reliabilityDiagram = ({
  before = [],
  bins,
  notes = [],
  title
}: DiagramOptions): string => {
  const height = top + size + bottom + notes.length * lineHeight
  const most = Math.max(1, ...[...before, ...bins].map(({ count }) => count))
  const offset = top + notes.length * lineHeight
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + size + right} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="${escapeXml(title)}">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="${left}" y="20" font-size="14" font-weight="600" fill="#222">${escapeXml(title)}</text>`,
    ...notes.map(
      (note, at) =>
        `<text x="${left}" y="${38 + at * lineHeight}" fill="#555">${escapeXml(note)}</text>`
    ),
    `<g transform="translate(${left} ${offset})">`,
    ...ticks.flatMap((tick) => [
      `<path d="M0 ${y(tick)}H${size}M${x(tick)} 0V${size}" stroke="#e5e5e5"/>`,
      `<text x="-8" y="${y(tick)}" dy="4" text-anchor="end" fill="#555">${tick}</text>`,
      `<text x="${x(tick)}" y="${size + 18}" text-anchor="middle" fill="#555">${tick}</text>`
    ]),
    `<path d="M0 ${size}L${size} 0" stroke="#999" stroke-dasharray="4 4"/>`,
    ...drawBins(before, "#aaa", most),
    ...drawBins(bins, "#1a66cc", most),
    `<text x="${size / 2}" y="${size + 38}" text-anchor="middle" fill="#222">confidence</text>`,
    `<text transform="translate(-38 ${size / 2}) rotate(-90)" text-anchor="middle" fill="#222">accuracy</text>`,
    `</g>`,
    `</svg>`
  ]
  return `${lines.join("\n")}\n`
}

const drawBins = (
  bins: ReadonlyArray<ReliabilityBin>,
  color: string,
  most: number
): ReadonlyArray<string> =>
  bins.flatMap(({ accuracy, confidence, count, high, low }) =>
    count === 0
      ? []
      : [
          `<path d="M${x(confidence)} ${y(low)}V${y(high)}" stroke="${color}" stroke-width="1.5"/>`,
          `<circle cx="${x(confidence)}" cy="${y(accuracy)}" r="${round(2 + 6 * Math.sqrt(count / most))}" fill="${color}" fill-opacity="0.75"><title>${count} answers: confidence ${round(confidence)}, accuracy ${round(accuracy)}</title></circle>`
        ]
  )

const [left, right, top, bottom] = [56, 20, 36, 48]
const size = 320
const lineHeight = 16
const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]

const round = (value: number): number => Math.round(value * 1_000) / 1_000
const x = (share: number): number => round(share * size)
const y = (share: number): number => round((1 - share) * size)

const escapeXml = (text: string): string =>
  text.replace(/[<>&"']/g, (character) => `&#${character.codePointAt(0)};`)
