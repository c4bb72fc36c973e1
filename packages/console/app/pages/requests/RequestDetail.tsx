/** One request: its attempts, why the others were not tried, and what it cost. */
import { useState } from "preact/hooks"
import { isAllowed, type Session } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import { Funnel } from "../../charts/Funnel.tsx"
import { Waterfall } from "../../charts/Waterfall.tsx"
import { CopyButton } from "../../components/CopyButton.tsx"
import { Loading } from "../../components/Loading.tsx"
import { Section } from "../../components/Section.tsx"
import { ReasonTable } from "../route/PlanView.tsx"
import { toCandidateId } from "../route/plan.ts"
import { toFunnel } from "../route/toFunnel.ts"
import { Bounds } from "./Bounds.tsx"
import { CompareWith } from "./Compare.tsx"
import { CostTable } from "./CostTable.tsx"
import { ExplainNow } from "./ExplainNow.tsx"
import { FailedById } from "./FailedById.tsx"
import { KeptContent } from "./KeptContent.tsx"
import { listRequestSteps } from "./listRequestSteps.ts"
import { describeRecord } from "./describeRecord.ts"
import { explainCost, explainTime } from "./explainRecord.ts"
import { canReplay, Replay } from "./Replay.tsx"
import { RequestFacts } from "./RequestFacts.tsx"
import type { RequestRecord } from "./RequestRecord.ts"
import { toCurl } from "./toCurl.ts"
import { toSimilarRequest } from "./toPlanRequest.ts"
import { toWaterfallStep } from "./toWaterfallStep.tsx"

export const RequestDetail = ({
  id,
  session
}: {
  readonly id: string
  readonly session: Session
}) => {
  const record = useApi<"generations.getRecord">(
    `api/v1/signalbox/generations/${encodeURIComponent(id)}`
  )
  return record.error?.status === 404 ? (
    <FailedById id={id} />
  ) : (
    <Loading loaded={record}>{({ data }) => <Detail record={data} session={session} />}</Loading>
  )
}

const Detail = ({
  record,
  session
}: {
  readonly record: RequestRecord
  readonly session: Session
}) => {
  const [isExplaining, setExplaining] = useState(false)
  const [isReading, setReading] = useState(false)
  const [isReplaying, setReplaying] = useState(false)
  return (
    <>
      <Section
        title={record.id}
        aside={
          <div class="actions">
            <button
              type="button"
              aria-expanded={isExplaining}
              onClick={() => setExplaining(!isExplaining)}
            >
              Explain now
            </button>
            {session.show_content && (
              <button
                type="button"
                aria-expanded={isReading}
                onClick={() => setReading(!isReading)}
              >
                Prompt and answer
              </button>
            )}
            {session.show_content && isAllowed(session, "replay") && canReplay(record) && (
              <button
                type="button"
                aria-expanded={isReplaying}
                onClick={() => setReplaying(!isReplaying)}
              >
                Replay
              </button>
            )}
            <CopyButton
              label="Copy as curl"
              text={toCurl(record.operation, toSimilarRequest(record))}
            />
            <CompareWith id={record.id} />
          </div>
        }
      >
        <p class="sentence">
          {[describeRecord(record), explainTime(record), explainCost(record)]
            .filter((sentence) => sentence !== undefined)
            .join(" ")}
        </p>
        <RequestFacts record={record} />
      </Section>
      {isExplaining && <ExplainNow record={record} />}
      {isReading && <KeptContent id={record.id} />}
      {isReplaying && <Replay record={record} session={session} />}
      <Bounds record={record} />
      {record.rejected.length > 0 && (
        <Section title="Route">
          <Funnel caption="The funnel of this request" stages={toRecordFunnel(record)} />
        </Section>
      )}
      <Section title="Attempts">
        {record.attempts.length === 0 && record.queue_wait === 0 ? (
          <div class="empty">
            No endpoint was tried.{" "}
            {record.cache?.status === "hit"
              ? "The answer came from the cache."
              : record.exceeded_limit === null
                ? "The rules below say why."
                : "Its cost might have exceeded a spend limit."}
          </div>
        ) : (
          <Waterfall
            caption="Attempts, in order"
            steps={listRequestSteps(record).map(toWaterfallStep)}
          />
        )}
      </Section>
      <Section title="Left out">
        {record.rejected.length === 0 ? (
          <div class="empty">No rule left an endpoint out.</div>
        ) : (
          <ReasonTable
            caption="Endpoints that were left out"
            reasons={record.rejected.map(toReason)}
          />
        )}
      </Section>
      {record.demoted.length > 0 && (
        <Section title="Moved back">
          <ReasonTable
            caption="Endpoints that were moved behind the others"
            reasons={record.demoted.map(toReason)}
          />
        </Section>
      )}
      <Section title="Cost">
        <CostTable record={record} />
      </Section>
    </>
  )
}

const toRecordFunnel = ({ attempts, rejected }: RequestRecord) =>
  toFunnel(
    rejected.map(toReason),
    attempts.map(({ endpoint_id: endpoint, outcome, provider_name, status }) => ({
      endpoint,
      text: `${provider_name} (${outcome === "served" ? "answered" : (status ?? outcome)})`
    })),
    (count) => (count === 0 ? "None was tried" : `${count} tried`)
  )

const toReason = ({
  credential_id: credential,
  endpoint_id: endpoint,
  ...reason
}: RequestRecord["rejected"][number]) => ({
  ...reason,
  endpoint: toCandidateId({ endpoint, ...(credential === null ? undefined : { credential }) })
})
