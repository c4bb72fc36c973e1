/** The durable steps behind jobs, deliveries and interns, by kind and state. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useApi } from "../../api/useApi.ts"
import { Loading } from "../../components/Loading.tsx"
import { Section } from "../../components/Section.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { formatCount, formatSpan, unknown } from "../../format/format.ts"

type Health = OperationResponse<"reports.health">
type Job = NonNullable<Health["data"]["jobs"]>[number]

export const BackgroundSteps = () => {
  const health = useApi<"reports.health">(
    "api/v1/signalbox/health",
    { endpoints: "none" },
    { every: 5_000 }
  )
  return (
    <Section title="Background steps">
      {health.error?.status === 403 ? (
        <p class="muted">Only the host's own account sees the background steps of the instance.</p>
      ) : (
        <Loading
          loaded={health}
          isEmpty={({ data }) => data.jobs?.length === 0}
          empty="No step waits and no worker has started. Video jobs, deliveries and interns make steps."
        >
          {({ data: { jobs } }) =>
            jobs === null ? (
              <div class="note note-bad" role="alert">
                The store does not answer, so the steps are unknown.
              </div>
            ) : (
              <Table
                caption="Background steps"
                columns={columns}
                rows={jobs}
                toKey={({ kind }) => kind}
              />
            )
          }
        </Loading>
      )}
    </Section>
  )
}

const columns: ReadonlyArray<Column<Job>> = [
  {
    title: "Kind",
    cell: ({ kind, worked }) => (
      <>
        <code class="id">{kind}</code>
        {!worked && <span class="text-warn"> no worker in this process</span>}
      </>
    )
  },
  { title: "Due", isNumber: true, cell: ({ due }) => formatCount(due) },
  {
    title: "Oldest due since",
    isNumber: true,
    cell: ({ due, oldestMillis }) => (due === 0 ? unknown : formatSpan(oldestMillis))
  },
  { title: "Later", isNumber: true, cell: ({ later }) => formatCount(later) },
  { title: "Running", isNumber: true, cell: ({ running }) => formatCount(running) },
  { title: "Succeeded here", isNumber: true, cell: ({ succeeded }) => formatCount(succeeded) },
  {
    title: "Failed attempts here",
    isNumber: true,
    cell: ({ failed }) => <span class={failed > 0 ? "text-warn" : ""}>{formatCount(failed)}</span>
  },
  {
    title: "Given up here",
    isNumber: true,
    cell: ({ died }) => <span class={died > 0 ? "text-bad" : ""}>{formatCount(died)}</span>
  }
]
