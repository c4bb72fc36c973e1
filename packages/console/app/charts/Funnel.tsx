/** How many are left after each of several stages: a list whose bands narrow, so every figure can be read. */
import type { FunnelStage } from "./FunnelStage.ts"

export const Funnel = ({
  caption,
  stages
}: {
  readonly caption: string
  readonly stages: ReadonlyArray<FunnelStage>
}) => {
  const most = Math.max(1, ...stages.map(({ from }) => from))
  return (
    <ol class="funnel" aria-label={caption}>
      {stages.map(({ detail, from, key, label, to, tone }) => (
        <li key={key}>
          <svg aria-hidden="true" viewBox="0 0 100 1" preserveAspectRatio="none">
            <polygon class={`band-${tone}`} points={toPoints(from / most, to / most)} />
          </svg>
          <div>
            <strong class={`tone-${tone}`}>{label}</strong>
            <div class="muted">{detail}</div>
          </div>
        </li>
      ))}
    </ol>
  )
}

/** The corners of a band in the middle of the picture; widths are from 0 to 1. */
const toPoints = (top: number, bottom: number): string => {
  // What is empty is still seen.
  const [upper, lower] = [Math.max(2, 100 * top), Math.max(2, 100 * bottom)]
  return [
    [50 - upper / 2, 0],
    [50 + upper / 2, 0],
    [50 + lower / 2, 1],
    [50 - lower / 2, 1]
  ]
    .map((point) => point.join(","))
    .join(" ")
}
