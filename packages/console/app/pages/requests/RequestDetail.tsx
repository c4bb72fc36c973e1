/** One request: its attempts, why the others were not tried, and what it cost. */
import { Fragment } from "preact"
import { useState } from "preact/hooks"
import { isAllowed, type Session } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import { useNames } from "../../api/useNames.ts"
import { Waterfall } from "../../charts/Waterfall.tsx"
import { CopyButton } from "../../components/CopyButton.tsx"
import { Loading } from "../../components/Loading.tsx"
import { Money } from "../../components/Money.tsx"
import { Section } from "../../components/Section.tsx"
import { Time } from "../../components/Time.tsx"
import { formatCount, formatMillis, unknown } from "../../format/format.ts"
import { toPresetSlug } from "../../format/formatId.ts"
import { toHash } from "../../routing/location.ts"
import { ReasonTable } from "../route/PlanView.tsx"
import { toCandidateId } from "../route/plan.ts"
import { Bounds } from "./Bounds.tsx"
import { CompareWith } from "./Compare.tsx"
import { CostTable } from "./CostTable.tsx"
import { ExplainNow } from "./ExplainNow.tsx"
import { FailedById } from "./FailedById.tsx"
import { KeptContent } from "./KeptContent.tsx"
import { describeRecord } from "./describeRecord.ts"
import { Outcome } from "./Outcome.tsx"
import { Refusal } from "./Refusal.tsx"
import { canReplay, Replay } from "./Replay.tsx"
import type { RequestRecord } from "./RequestRecord.ts"
import { toCurl } from "./toCurl.ts"
import { toSimilarRequest } from "./toPlanRequest.ts"
import { toWaterfallSteps } from "./toWaterfallSteps.tsx"

export const RequestDetail = ({
  id,
  list,
  session
}: {
  readonly id: string
  /** The address of the list with the filters that it had. */
  readonly list: string
  readonly session: Session
}) => {
  const record = useApi<"generations.getRecord">(
    `api/v1/signalbox/generations/${encodeURIComponent(id)}`
  )
  return (
    <>
      <p>
        <a href={list}>Back to the list</a>
      </p>
      {record.error?.status === 404 ? (
        <FailedById id={id} />
      ) : (
        <Loading loaded={record}>
          {({ data }) => <Detail record={data} session={session} />}
        </Loading>
      )}
    </>
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
        <p class="sentence">{describeRecord(record)}</p>
        <Facts record={record} />
      </Section>
      {isExplaining && <ExplainNow record={record} />}
      {isReading && <KeptContent id={record.id} />}
      {isReplaying && <Replay record={record} session={session} />}
      <Bounds record={record} />
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
          <Waterfall caption="Attempts, in order" steps={toWaterfallSteps(record)} />
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

/** Other requests with the same value. */
const link = (name: string, value: string | null, toLabel = (value: string) => value) =>
  value === null ? (
    unknown
  ) : (
    <a href={toHash(["requests"], { [name]: value })} title={value}>
      {toLabel(value)}
    </a>
  )

const CacheUse = ({
  cache: { saved, source_id: source }
}: {
  readonly cache: NonNullable<RequestRecord["cache"]>
}) =>
  source === null ? (
    <>had no answer</>
  ) : (
    <>
      answered like <a href={toHash(["requests", source])}>{source}</a>
      {saved !== null && (
        <>
          , which saved <Money usd={saved} />
        </>
      )}
    </>
  )

const Facts = ({ record }: { readonly record: RequestRecord }) => {
  const names = useNames()
  return (
    <dl class="facts">
      <dt>Outcome</dt>
      <dd>
        <Outcome outcome={record.outcome} />
      </dd>
      {record.exceeded_limit !== null && (
        <>
          <dt>Refused by</dt>
          <dd>
            <Refusal limit={record.exceeded_limit} />
          </dd>
        </>
      )}
      <dt>Began</dt>
      <dd>
        <Time at={record.created_at} />
      </dd>
      <dt>Operation</dt>
      <dd>
        {record.operation}
        {record.api !== null && record.api !== "chat" && ` by the ${record.api} API`}
        {record.streamed && ", streamed"}
      </dd>
      {record.replay_of !== null && (
        <>
          <dt>Replay of</dt>
          <dd>
            <a href={toHash(["requests", record.replay_of])}>{record.replay_of}</a>
          </dd>
        </>
      )}
      <dt>Requested model</dt>
      <dd>{link("model", record.requested_model)}</dd>
      {record.models.length > 1 && (
        <>
          <dt>Fallbacks</dt>
          <dd>{record.models.slice(1).join(", ")}</dd>
        </>
      )}
      {record.resolved_models !== null &&
        record.resolved_models.join("\n") !== record.models.join("\n") && (
          <>
            <dt>These meant</dt>
            <dd>{record.resolved_models.join(", ")}</dd>
          </>
        )}
      <dt>Answered by</dt>
      <dd>
        {record.model === null ? (
          unknown
        ) : (
          <>
            {record.model} of {link("provider", record.provider_name)}
            {record.upstream_model !== null && record.upstream_model !== record.model && (
              <>, which names it {record.upstream_model}</>
            )}
          </>
        )}
      </dd>
      <dt>Ordered by</dt>
      <dd>
        {record.strategy ?? unknown}{" "}
        <span class="muted">configuration {record.configuration_version}</span>
      </dd>
      {record.affinity !== null && (
        <>
          <dt>Conversation</dt>
          <dd>
            {affinityOutcomes[record.affinity.did]}{" "}
            <span class="muted">by its {affinitySources[record.affinity.by]}</span>
          </dd>
        </>
      )}
      <dt>Latency</dt>
      <dd>
        {formatMillis(record.latency)}
        {record.queue_wait > 0 && (
          <span class="muted"> {formatMillis(record.queue_wait)} in the request queue</span>
        )}
      </dd>
      <dt>Tokens</dt>
      <dd>
        {record.usage === null
          ? unknown
          : `${formatCount(record.usage.tokens_prompt)} in, ${formatCount(record.usage.tokens_completion)} out`}
      </dd>
      <dt>Cost</dt>
      <dd>
        <Money usd={record.cost} />
      </dd>
      {record.cache !== null && (
        <>
          <dt>Response cache</dt>
          <dd>
            <CacheUse cache={record.cache} />
          </dd>
        </>
      )}
      <dt>Key</dt>
      <dd>{link("key_hash", record.key_hash, names.toKeyName)}</dd>
      <dt>User</dt>
      <dd>{link("user", record.user)}</dd>
      <dt>External user</dt>
      <dd>{link("external_user", record.external_user)}</dd>
      {Object.entries(record.tags).map(([name, value]) => (
        <Fragment key={name}>
          <dt>Tag {name}</dt>
          <dd>{link("tag", `${name}:${value}`, () => value)}</dd>
        </Fragment>
      ))}
      {record.preset_id !== null && (
        <>
          <dt>Preset</dt>
          <dd>{link("preset_id", record.preset_id, toPresetSlug)}</dd>
        </>
      )}
      <dt>Request id</dt>
      <dd>{record.request_id ?? unknown}</dd>
      <dt>Session</dt>
      <dd>{link("session_id", record.session_id)}</dd>
      <dt>Workspace</dt>
      <dd>{link("workspace_id", record.workspace_id, names.toWorkspaceName)}</dd>
      {record.finish_reason !== null && (
        <>
          <dt>Finished with</dt>
          <dd>{record.finish_reason}</dd>
        </>
      )}
      {record.method !== null && (
        <>
          <dt>Decided by</dt>
          <dd>{record.method}</dd>
        </>
      )}
      {record.upstream_id !== null && (
        <>
          <dt>Id at the provider</dt>
          <dd>{record.upstream_id}</dd>
        </>
      )}
      {record.trace !== null && (
        <>
          <dt>Trace</dt>
          <dd>
            <pre>{JSON.stringify(record.trace, null, 2)}</pre>
          </dd>
        </>
      )}
    </dl>
  )
}

const toReason = ({
  credential_id: credential,
  endpoint_id: endpoint,
  ...reason
}: RequestRecord["rejected"][number]) => ({
  ...reason,
  endpoint: toCandidateId({ endpoint, ...(credential === null ? undefined : { credential }) })
})

type Affinity = NonNullable<RequestRecord["affinity"]>

const affinityOutcomes: Readonly<Record<Affinity["did"], string>> = {
  placed: "placed by hash",
  kept: "kept where it was",
  moved: "moved from where it was",
  off: "not kept at one endpoint"
}

const affinitySources: Readonly<Record<Affinity["by"], string>> = {
  session_id: "session",
  prompt_cache_key: "prompt cache key",
  opener: "first messages"
}
