/** Saves the requests that match as a file for spreadsheets. */
import { get, type Query } from "../../api/request.ts"
import { type Cell, toCsv } from "./toCsv.ts"
import type { RequestSummary } from "./RequestRecord.ts"

const pageSize = 100
/** More of them are a report, which analytics make. */
export const maxRows = 1_000

const columns: Readonly<Record<string, (row: RequestSummary) => Cell>> = {
  id: ({ id }) => id,
  created_at: (row) => row.created_at,
  request_id: (row) => row.request_id,
  operation: ({ operation }) => operation,
  outcome: ({ outcome }) => outcome,
  requested_model: (row) => row.requested_model,
  model: ({ model }) => model,
  provider: (row) => row.provider_name,
  workspace_id: (row) => row.workspace_id,
  key_hash: (row) => row.key_hash,
  user: ({ user }) => user,
  external_user: (row) => row.external_user,
  session_id: (row) => row.session_id,
  tags: ({ tags }) =>
    Object.entries(tags)
      .map((tag) => tag.join(":"))
      .join(" "),
  attempts: (row) => row.attempt_count,
  latency_ms: ({ latency }) => latency,
  tokens_prompt: ({ usage }) => usage?.tokens_prompt,
  tokens_completion: ({ usage }) => usage?.tokens_completion,
  cost_usd: ({ cost }) => cost,
  upstream_cost_usd: (row) => row.upstream_inference_cost
}

/** Whether there are more requests than the file has. */
export const downloadCsv = async (query: Query): Promise<boolean> => {
  const rows: Array<RequestSummary> = []
  let after: string | undefined
  do {
    const page = await get<"generations.list">("api/v1/signalbox/generations", {
      ...query,
      limit: pageSize,
      starting_after: after
    })
    rows.push(...page.data)
    after = page.next_cursor
  } while (after !== undefined && rows.length < maxRows)
  const csv = toCsv([
    Object.keys(columns),
    ...rows.map((row) => Object.values(columns).map((pick) => pick(row)))
  ])
  const url = URL.createObjectURL(new Blob([csv], { type: "text/csv" }))
  const link = document.createElement("a")
  link.href = url
  link.download = "requests.csv"
  link.click()
  URL.revokeObjectURL(url)
  return after !== undefined
}
