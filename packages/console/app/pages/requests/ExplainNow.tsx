/** The plan that the recorded request would get under the present health. */
import { useLoaded } from "../../api/useApi.ts"
import { Loading } from "../../components/Loading.tsx"
import { Section } from "../../components/Section.tsx"
import { formatCount } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { loadPlan } from "../route/plan.ts"
import { PlanView } from "../route/PlanView.tsx"
import type { RequestRecord } from "./RequestRecord.ts"
import { getPromptTokens, toPlanRequest, toSimilarRequest } from "./toPlanRequest.ts"

export const ExplainNow = ({ record }: { readonly record: RequestRecord }) => {
  const { id, workspace_id: workspace } = record
  const plan = useLoaded(`explain ${id}`, (_, signal) =>
    loadPlan(toPlanRequest(record), workspace, signal)
  )
  return (
    <Section
      title="If it came now"
      aside={
        <a
          href={toHash(["route"], { request: JSON.stringify(toSimilarRequest(record)), workspace })}
        >
          Change its preferences
        </a>
      }
    >
      <p class="muted small">{describe(record)}</p>
      <Loading loaded={plan}>{(plan) => <PlanView plan={plan} />}</Loading>
    </Section>
  )
}

/** What the plan shares with the request, and what it cannot. */
const describe = (record: RequestRecord): string => {
  const tokens = getPromptTokens(record)
  const shared = `Planned with the models and preferences of the record${
    tokens === undefined ? "" : `, for a prompt of ${formatCount(tokens)} tokens`
  }, under the present health and the restrictions of the workspace.`
  return `${shared} Other content, most parameters and the restrictions of its key are not known.${
    record.omitted_preferences.length === 0
      ? ""
      : ` ${record.omitted_preferences.join(", ")}: too long to be recorded.`
  }`
}
