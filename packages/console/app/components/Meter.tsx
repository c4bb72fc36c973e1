/** How much of a limit is settled, and how much more is reserved. */
import { formatShare } from "../format/format.ts"

export const Meter = ({
  limit,
  reserved,
  settled
}: {
  readonly limit: number
  readonly settled: number
  readonly reserved: number
}) => {
  const used = limit > 0 ? (settled + reserved) / limit : 1
  const toWidth = (amount: number): string =>
    `${limit > 0 ? Math.min(100, (amount / limit) * 100) : 100}%`
  const tone = used >= 0.95 ? "bad" : used >= 0.8 ? "warn" : "good"
  return (
    <span class="meter-with-share">
      <span class={`meter meter-${tone}`} aria-hidden="true">
        <i style={{ width: toWidth(settled) }} />
        <i class="reserved" style={{ width: toWidth(reserved) }} />
      </span>
      <span class={tone === "good" ? "" : `text-${tone}`}>{formatShare(used)}</span>
    </span>
  )
}
