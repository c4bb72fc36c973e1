/** Draws how long the slowest requests wait for their first event: a line for each run, both axes logarithmic. */

export interface Tail {
  readonly name: string
  /** The time that so large a share of the requests does not exceed. */
  readonly quantiles: ReadonlyArray<{ readonly share: number; readonly millis: number }>
}

const colors = ["#57606a", "#0969da", "#bc4c00", "#1a7f37", "#8250df"]
const [width, height, left, right, top, bottom] = [720, 380, 70, 16, 16, 50]
const shares = [0.5, 0.9, 0.95, 0.99, 0.999]
const seconds = [0.1, 0.3, 1, 3, 10, 30, 60]

/** The further towards the slowest, the wider apart. */
const toX = (share: number): number =>
  left + ((width - left - right) * (Math.log10(0.5) - Math.log10(1 - share))) / Math.log10(500)

const toY = (millis: number): number => {
  const [from, to] = [Math.log10(100), Math.log10(60_000)]
  return height - bottom - ((height - top - bottom) * (Math.log10(millis) - from)) / (to - from)
}

export const drawTails = (tails: ReadonlyArray<Tail>): string => {
  const grid = [
    ...shares.flatMap((share) => {
      const x = toX(share).toFixed(1)
      return [
        `<line x1="${x}" y1="${top}" x2="${x}" y2="${height - bottom}" stroke="#d0d7de"/>`,
        `<text x="${x}" y="${height - bottom + 18}" text-anchor="middle">p${Number((share * 100).toFixed(1))}</text>`
      ]
    }),
    ...seconds.flatMap((second) => {
      const y = toY(second * 1_000).toFixed(1)
      return [
        `<line x1="${left}" y1="${y}" x2="${width - right}" y2="${y}" stroke="#d0d7de"/>`,
        `<text x="${left - 8}" y="${Number(y) + 4}" text-anchor="end">${second} s</text>`
      ]
    })
  ]
  const lines = tails.flatMap(({ name, quantiles }, index) => {
    const points = quantiles
      .filter(({ share }) => share >= 0.5 && share <= 0.999)
      .map(({ millis, share }) => `${toX(share).toFixed(1)},${toY(millis).toFixed(1)}`)
    const color = colors[index % colors.length]!
    const y = top + 16 + 18 * index
    return [
      `<polyline points="${points.join(" ")}" fill="none" stroke="${color}" stroke-width="2"/>`,
      `<line x1="${left + 12}" y1="${y - 4}" x2="${left + 36}" y2="${y - 4}" stroke="${color}" stroke-width="2"/>`,
      `<text x="${left + 42}" y="${y}">${name}</text>`
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img">`,
    "<title>Time to the first event, by percentile of the requests</title>",
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...grid,
    ...lines,
    `<text x="${(left + width - right) / 2}" y="${height - 10}" text-anchor="middle">percentile of the requests; time to the first event</text>`,
    "</svg>",
    ""
  ].join("\n")
}
