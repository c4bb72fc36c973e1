/** Requests without a record: those that failed before they were routed, by their `x-request-id`. */
import { useApi } from "../../api/useApi.ts"
import { useNames } from "../../api/useNames.ts"
import { Loading } from "../../components/Loading.tsx"
import { Section } from "../../components/Section.tsx"
import { Time } from "../../components/Time.tsx"
import { unknown } from "../../format/format.ts"

export const FailedById = ({ id }: { readonly id: string }) => {
  const names = useNames()
  const failed = useApi<"failedRequests.list">("api/v1/signalbox/failed-requests", {
    request_id: id,
    limit: 20
  })
  return (
    <Loading
      loaded={failed}
      isEmpty={({ data }) => data.length === 0}
      empty={`There is no request ${id}. It may be older than records are kept, or belong to another account.`}
    >
      {({ data }) =>
        data.map((row) => (
          <Section key={row.created_at} title={`Failed with ${row.status}`}>
            <dl class="facts">
              <dt>Message</dt>
              <dd>{row.message}</dd>
              <dt>Reason</dt>
              <dd>{row.reason ?? row.error_type ?? unknown}</dd>
              <dt>Request id</dt>
              <dd>{row.request_id}</dd>
              <dt>Time</dt>
              <dd>
                <Time at={row.created_at} />
              </dd>
              <dt>Operation</dt>
              <dd>
                {row.operation ?? unknown}{" "}
                <span class="muted">
                  {row.method} {row.path}
                </span>
              </dd>
              <dt>Key</dt>
              <dd>{row.key_hash === null ? unknown : names.toKeyName(row.key_hash)}</dd>
              <dt>User</dt>
              <dd>{row.user_id ?? unknown}</dd>
              <dt>Workspace</dt>
              <dd>
                {row.workspace_id === null ? unknown : names.toWorkspaceName(row.workspace_id)}
              </dd>
              <dt>Client</dt>
              <dd>{row.user_agent ?? unknown}</dd>
            </dl>
          </Section>
        ))
      }
    </Loading>
  )
}
