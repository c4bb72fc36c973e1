/** What is recorded of one request, name by name. */
import { Fragment } from "preact"
import { useNames } from "../../api/useNames.ts"
import { Money } from "../../components/Money.tsx"
import { Time } from "../../components/Time.tsx"
import { formatCount, formatMillis, unknown } from "../../format/format.ts"
import { toPresetSlug } from "../../format/formatId.ts"
import { toHash } from "../../routing/location.ts"
import { Outcome } from "./Outcome.tsx"
import { Refusal } from "./Refusal.tsx"
import type { RequestRecord } from "./RequestRecord.ts"

export const RequestFacts = ({ record }: { readonly record: RequestRecord }) => {
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
