/** What each attempt used and cost. */
import { Badge } from "../../components/Badge.tsx"
import { Money } from "../../components/Money.tsx"
import { Table } from "../../components/Table.tsx"
import { formatCount, unknown } from "../../format/format.ts"
import { units } from "../../format/formatUsage.ts"
import type { RequestRecord } from "./RequestRecord.ts"

type Attempt = RequestRecord["attempts"][number]

export const CostTable = ({ record }: { readonly record: RequestRecord }) => (
  <>
    <Table
      caption="Use and cost of each attempt"
      rows={record.attempts.map((attempt, at) => ({ ...attempt, position: at + 1 }))}
      toKey={({ position }) => `${position}`}
      columns={[
        { title: "#", isNumber: true, cell: ({ position }) => position },
        { title: "Endpoint", cell: ({ endpoint_id: endpoint }) => endpoint },
        { title: "In", isNumber: true, cell: ({ usage }) => formatCount(usage?.tokens_prompt) },
        {
          title: "of which cached",
          isNumber: true,
          cell: ({ usage }) => formatCount(usage?.tokens_cached)
        },
        {
          title: "Out",
          isNumber: true,
          cell: ({ usage }) => formatCount(usage?.tokens_completion)
        },
        {
          title: "of which reasoning",
          isNumber: true,
          cell: ({ usage }) => formatCount(usage?.tokens_reasoning)
        },
        ...units
          .filter(({ count }) =>
            record.attempts.some(({ usage }) => usage !== null && count(usage) > 0)
          )
          .map(({ count, format, title }) => ({
            title,
            isNumber: true,
            cell: ({ usage }: Attempt) => (usage === null ? unknown : format(count(usage)))
          })),
        { title: "Cost", isNumber: true, cell: ({ cost }) => <Money usd={cost} /> },
        {
          title: "Billed by the provider",
          isNumber: true,
          cell: ({ is_byok: isByok, upstream_inference_cost: cost }) =>
            isByok ? <Money usd={cost} /> : unknown
        },
        { title: "Notes", cell: (attempt) => <Notes attempt={attempt} /> }
      ]}
    />
    <p>
      Total: <Money usd={record.cost} />
      {record.is_byok && (
        <>
          {" "}
          and <Money usd={record.upstream_inference_cost} /> billed by the provider
        </>
      )}
    </p>
  </>
)

const Notes = ({ attempt }: { readonly attempt: Attempt }) => (
  <>
    {attempt.is_estimated && <Badge tone="warn">estimated</Badge>}
    {attempt.implausible_report !== null && (
      <span class="text-warn">
        reported {attempt.implausible_report.what} {attempt.implausible_report.reported}, charged at
        most {attempt.implausible_report.at_most}
      </span>
    )}
  </>
)
