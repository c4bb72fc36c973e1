/** Steps that were given up, with their error. */
import type { OperationResponse } from "@signalbox/core/contract"
import { usePages } from "../../api/usePages.ts"
import { Loading } from "../../components/Loading.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { Section } from "../../components/Section.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { formatCount, unknown } from "../../format/format.ts"

type DeadStep = OperationResponse<"reports.listDeadSteps">["data"][number]

export const DeadSteps = () => {
  const steps = usePages<DeadStep>("api/v1/signalbox/dead-steps", { limit: 25 }, { every: 10_000 })
  // The section above says why.
  if (steps.error?.status === 403) return null
  return (
    <Section title="Steps that were given up">
      <Loading
        loaded={steps}
        isEmpty={(rows) => rows.length === 0}
        empty="None. A step whose retries are exhausted appears here with its last error."
      >
        {(rows) => (
          <>
            <Table
              caption="Steps that were given up"
              columns={columns}
              rows={rows}
              toKey={({ at, id, kind }) => `${kind} ${id} ${at}`}
            />
            <LoadMore pages={steps} />
          </>
        )}
      </Loading>
    </Section>
  )
}

const columns: ReadonlyArray<Column<DeadStep>> = [
  { title: "Kind", cell: ({ kind }) => <code class="id">{kind}</code> },
  { title: "Of", cell: ({ id }) => <code>{id}</code> },
  { title: "Error", cell: ({ reason }) => <span class="text-bad">{reason}</span> },
  { title: "Attempts", isNumber: true, cell: ({ attempts }) => formatCount(attempts) },
  { title: "Given up", cell: ({ at }) => <Time at={at} /> },
  {
    title: "Queued",
    cell: ({ offered_at: at }) => (at === null ? unknown : <Time at={at} />)
  }
]
