/** The plan that the recorded request would get under the present health. */
import { useLoaded } from "../../api/useApi.ts"
import { Loading } from "../../components/Loading.tsx"
import { Section } from "../../components/Section.tsx"
import { toHash } from "../../routing/location.ts"
import { loadPlan } from "../route/plan.ts"
import { PlanView } from "../route/PlanView.tsx"
import type { Json } from "../route/request.ts"
import type { RequestRecord } from "./RequestRecord.ts"

export const ExplainNow = ({
  record: { id, workspace_id: workspace },
  request
}: {
  readonly record: RequestRecord
  readonly request: Json
}) => {
  const plan = useLoaded(`explain ${id}`, (_, signal) => loadPlan(request, workspace, signal))
  return (
    <Section
      title="If it came now"
      aside={
        <a href={toHash(["route"], { request: JSON.stringify(request), workspace })}>
          Change its preferences
        </a>
      }
    >
      <Loading loaded={plan}>{(plan) => <PlanView plan={plan} />}</Loading>
    </Section>
  )
}
