/** The latest alerts about limits and providers. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useNames } from "../../api/useNames.ts"
import { usePages } from "../../api/usePages.ts"
import { Loading } from "../../components/Loading.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { Section } from "../../components/Section.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { formatRelative } from "../../format/format.ts"
import { useNow } from "../../routing/useNow.ts"

type Alert = OperationResponse<"alerts.list">["data"][number]

export const AlertList = () => {
  const names = useNames()
  const now = useNow(60_000)
  const alerts = usePages<Alert>("api/v1/signalbox/alerts", { limit: 10 })
  const columns: ReadonlyArray<Column<Alert>> = [
    {
      title: "When",
      cell: ({ created_at }) => <span title={created_at}>{formatRelative(created_at, now)}</span>
    },
    { title: "Workspace", cell: ({ workspace_id }) => names.toWorkspaceName(workspace_id) },
    { title: "Alert", cell: ({ message }) => message }
  ]
  return (
    <Section
      title="Alerts"
      aside={
        <button type="button" onClick={alerts.reload} aria-label="Read again: Alerts">
          Read again
        </button>
      }
    >
      <Loading
        loaded={alerts}
        isEmpty={(rows) => rows.length === 0}
        empty={
          <>
            There are no alerts. Pass <code>alerts</code> to <code>Signalbox.make</code> to be
            warned before a limit is spent.
          </>
        }
      >
        {(rows) => (
          <>
            <Table caption="Alerts" columns={columns} rows={rows} toKey={({ id }) => id} />
            <LoadMore pages={alerts} />
          </>
        )}
      </Loading>
    </Section>
  )
}
