/** The table of requests. */
import { useEffect, useRef } from "preact/hooks"
import { Money } from "../../components/Money.tsx"
import { Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { formatCount, formatMillis, unknown } from "../../format/format.ts"
import { formatUsage } from "../../format/formatUsage.ts"
import { navigate, toHash } from "../../routing/location.ts"
import { Outcome } from "./Outcome.tsx"
import type { RequestSummary } from "./RequestRecord.ts"

export const RequestTable = ({
  opened,
  rows,
  selection
}: {
  /** The requests that are selected to be compared; absent: none can be. */
  readonly selection?: {
    readonly ids: ReadonlyArray<string>
    readonly onChange: (ids: ReadonlyArray<string>) => void
  }
  readonly rows: ReadonlyArray<RequestSummary>
  /** The request that was shown before the list; its row has the focus again. */
  readonly opened: string | undefined
}) => {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    // Rows may come when somebody types elsewhere.
    if (document.activeElement?.matches("body, main") === true) link.current?.focus()
  }, [])
  return (
    <Table
      caption="Requests"
      rows={rows}
      toKey={({ id }) => id}
      onOpen={({ id }) => navigate(toHash(["requests", id]))}
      columns={[
        {
          title: "Began",
          cell: ({ created_at: at, id }) => (
            <a
              href={toHash(["requests", id])}
              title={id}
              {...(id === opened ? { ref: link } : undefined)}
            >
              <Time at={at} />
            </a>
          )
        },
        { title: "Outcome", cell: ({ outcome }) => <Outcome outcome={outcome} /> },
        { title: "Operation", cell: ({ operation }) => operation },
        { title: "Model", cell: ({ model, requested_model: requested }) => model ?? requested },
        { title: "Provider", cell: ({ provider_name: provider }) => provider ?? unknown },
        { title: "User", cell: ({ external_user: external, user }) => user ?? external ?? unknown },
        {
          title: "Attempts",
          isNumber: true,
          cell: ({ attempt_count: attempts }) => formatCount(attempts)
        },
        { title: "Latency", isNumber: true, cell: ({ latency }) => formatMillis(latency) },
        {
          title: "Used",
          isNumber: true,
          cell: ({ usage }) => (
            <span title="Tokens in and out, and other units">{formatUsage(usage)}</span>
          )
        },
        {
          title: "Cost",
          isNumber: true,
          cell: ({ cost, upstream_inference_cost: upstream }) => <Money usd={cost ?? upstream} />
        },
        ...(selection === undefined
          ? []
          : [
              {
                title: "Compare",
                cell: ({ id }: RequestSummary) => (
                  <input
                    type="checkbox"
                    aria-label={`Compare ${id}`}
                    checked={selection.ids.includes(id)}
                    // A third one takes the place of the first.
                    onChange={({ currentTarget: { checked } }) =>
                      selection.onChange(
                        checked
                          ? [...selection.ids, id].slice(-2)
                          : selection.ids.filter((each) => each !== id)
                      )
                    }
                  />
                )
              }
            ])
      ]}
    />
  )
}
