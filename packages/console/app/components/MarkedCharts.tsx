/** Charts of one time: they share the cursor, and show when processes were deployed and providers failed. */
import type { ComponentChildren } from "preact"
import { useId, useMemo } from "preact/hooks"
import { useApi } from "../api/useApi.ts"
import { MarksContext, markColors } from "../charts/marks.ts"
import { toCssColor } from "../charts/palette.ts"
import { toMarks } from "../charts/toMarks.ts"
import { Time } from "./Time.tsx"

export const MarkedCharts = ({
  children,
  from,
  to
}: {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  readonly children: ComponentChildren
}) => {
  const group = useId()
  // Both are of the host: other accounts see charts without marks.
  const processes = useApi<"live.listProcesses">("api/v1/signalbox/processes")
  const incidents = useApi<"incidents.list">("api/v1/signalbox/incidents", {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    limit: 12
  })
  const marks = useMemo(
    () => toMarks(processes.data?.data.processes ?? [], incidents.data?.data ?? [], { from, to }),
    [processes.data, incidents.data, from, to]
  )
  const value = useMemo(() => ({ group, marks }), [group, marks])
  return (
    <MarksContext.Provider value={value}>
      <div class="charts">{children}</div>
      {marks.length > 0 && (
        <ul class="legend marks" aria-label="Marks in the charts">
          {marks.map(({ at, kind, text }) => (
            <li key={`${at} ${text}`}>
              <i class="swatch" style={{ background: toCssColor(markColors[kind]) }} />
              <span>
                <Time at={at} /> <bdi>{text}</bdi>
              </span>
            </li>
          ))}
        </ul>
      )}
    </MarksContext.Provider>
  )
}
