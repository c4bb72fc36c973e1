/** The plot of the cached share with and without affinity. */
import type { AffinityRow } from "./affinityGoals.ts"

const width = 640
const rowHeight = 44
const left = 190
const full = 400
const top = 64

const bar = (y: number, share: number, color: string): string => {
  const length = (share * full).toFixed(1)
  return (
    `<rect x="${left}" y="${y}" width="${length}" height="14" fill="${color}"/>` +
    `<text x="${left + share * full + 6}" y="${y + 11}" class="small">${share.toFixed(2)}</text>`
  )
}

const titles: Readonly<Record<AffinityRow["trace"], string>> = {
  conversation: "conversations",
  synthetic: "synthetic",
  toolagent: "tool agents"
}

export const drawAffinity = (rows: ReadonlyArray<AffinityRow>): string => {
  const height = top + rows.length * rowHeight + 20
  const bars = rows.map(({ drawn, endpoints, opener, trace }, index) => {
    const y = top + index * rowHeight
    return (
      `<text x="${left - 10}" y="${y + 20}" text-anchor="end">${titles[trace]}, ${endpoints} endpoints</text>` +
      bar(y, drawn, "#9aa5b1") +
      bar(y + 17, opener, "#2b6cb0")
    )
  })
  const bottom = top + rows.length * rowHeight
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Cached share of prompt tokens, of what one endpoint would have cached">
<style>text{font:13px system-ui,sans-serif;fill:#1f2933}.small{font-size:11px}</style>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="16" y="24" font-weight="600">Cached prompt tokens, of what one endpoint would have cached</text>
<text x="16" y="44" class="small">grey: price-weighted draw; blue: conversations stay, known by their first messages</text>
<line x1="${left + full}" y1="${top - 6}" x2="${left + full}" y2="${bottom}" stroke="#1f2933" stroke-dasharray="3 3"/>
${bars.join("\n")}
</svg>
`
}
