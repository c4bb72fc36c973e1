/** Steps one after the other, each a bar on a common axis. It is a table, so every figure can be read. */
import type { ComponentChildren } from "preact"
import { formatMillis } from "../format/format.ts"
import { type SeriesColor, toCssColor } from "./palette.ts"

export interface WaterfallStep {
  readonly label: ComponentChildren
  /** What is said of it besides its times. */
  readonly detail: ComponentChildren
  /** Milliseconds since the beginning; undefined when unknown: then it has no bar. */
  readonly start: number | undefined
  /** Milliseconds. */
  readonly duration: number
  /** Milliseconds from its start to a mark on its bar, such as the first token. */
  readonly mark?: number | undefined
  readonly color: SeriesColor
}

export const Waterfall = ({
  caption,
  steps
}: {
  readonly caption: string
  readonly steps: ReadonlyArray<WaterfallStep>
}) => {
  const total = Math.max(1e-3, ...steps.map(({ duration, start = 0 }) => start + duration))
  const toPercent = (millis: number) => `${((millis / total) * 100).toFixed(2)}%`
  return (
    <div class="table" role="region" aria-label={caption} tabIndex={0}>
      <table class="waterfall">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">Endpoint</th>
            <th scope="col">Result</th>
            <th scope="col" class="number">
              Start
            </th>
            <th scope="col" class="number">
              Duration
            </th>
            <th scope="col" class="number">
              First token
            </th>
            <th scope="col" class="bars">
              0 – {formatMillis(total)}
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ color, detail, duration, label, mark, start }, at) => (
            // Steps have no identity besides their position.
            <tr key={`${at}`}>
              <td data-label="#">{at + 1}</td>
              <td data-label="Endpoint">
                <div class="cell">{label}</div>
              </td>
              <td data-label="Result">
                <div class="cell">{detail}</div>
              </td>
              <td data-label="Start" class="number">
                {formatMillis(start)}
              </td>
              <td data-label="Duration" class="number">
                {formatMillis(duration)}
              </td>
              <td data-label="First token" class="number">
                {formatMillis(mark)}
              </td>
              <td data-label="Bar" class="bars">
                <div class="track" aria-hidden="true">
                  {start !== undefined && (
                    <div
                      class="bar"
                      style={{
                        left: toPercent(start),
                        width: toPercent(duration),
                        background: toCssColor(color)
                      }}
                    />
                  )}
                  {start !== undefined && mark !== undefined && (
                    <div class="mark" style={{ left: toPercent(start + mark) }} />
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
