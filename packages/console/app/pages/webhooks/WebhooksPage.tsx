/** The webhook of each workspace: where its events go, what signs them, and what became of the latest one. */
import type { OperationResponse } from "@signalbox/core/contract"
import { isAllowed, type Session } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import { Badge } from "../../components/Badge.tsx"
import { ListSection } from "../../components/ListSection.tsx"
import { Loading } from "../../components/Loading.tsx"
import { ReadOnlyNote } from "../../components/ReadOnlyNote.tsx"
import type { Column } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { toHash } from "../../routing/location.ts"
import type { PageProps } from "../../shell/Page.ts"
import { LatestDelivery } from "./LatestDelivery.tsx"
import { Secrets } from "./Secrets.tsx"
import { SendTest } from "./SendTest.tsx"
import { toWebhookPath, WebhookActions } from "./WebhookActions.tsx"

type Workspace = OperationResponse<"workspaces.list">["data"][number]

export const WebhooksPage = ({ session }: PageProps) => (
  <ListSection<Workspace>
    title="Webhooks of workspaces"
    path="api/v1/workspaces"
    query={{ limit: 10 }}
    toKey={({ id }) => id}
    empty="There is no workspace."
    aside={() => <a href={toHash(["jobs"])}>All deliveries</a>}
    columns={() => makeColumns(session)}
  >
    <ReadOnlyNote
      session={session}
      group="webhooks"
      actions="set, change, try and delete webhooks and their signing secrets"
    />
    <p class="muted small">
      Events of jobs, spend limits and alerts go to the webhook of their workspace, unless the
      request names another address.
    </p>
  </ListSection>
)

const makeColumns = (session: Session): ReadonlyArray<Column<Workspace>> => [
  {
    title: "Workspace",
    cell: ({ name, slug }) => (
      <>
        {name}
        <br />
        <span class="muted small">{slug}</span>
      </>
    )
  },
  { title: "Webhook", cell: (workspace) => <Webhook of={workspace} session={session} /> }
]

/** Each workspace has one, which is read and changed on its own. */
const Webhook = ({
  of: { id, name },
  session
}: {
  readonly of: Workspace
  readonly session: Session
}) => {
  const webhook = useApi<"webhooks.get">(toWebhookPath(id))
  const secrets = useApi<"webhooks.listSecrets">(`${toWebhookPath(id)}/secrets`)
  const reload = () => {
    webhook.reload()
    secrets.reload()
  }
  return (
    <Loading loaded={webhook}>
      {({ data: { callback_url: url, updated_at: at } }: OperationResponse<"webhooks.get">) => (
        <div class="webhook">
          <p>
            {url === null ? (
              <span class="muted">none</span>
            ) : (
              <>
                <code>{url}</code>{" "}
                {at !== null && (
                  <span class="muted small">
                    since <Time at={at} />
                  </span>
                )}
              </>
            )}
          </p>
          <Loading loaded={secrets}>
            {({ data }: OperationResponse<"webhooks.listSecrets">) => (
              <>
                {url !== null && data.length === 0 && (
                  <p>
                    <Badge tone="warn">unsigned</Badge>{" "}
                    <span class="small">its receiver cannot tell who sent an event</span>
                  </p>
                )}
                <Secrets
                  name={name}
                  secrets={data}
                  session={session}
                  workspace={id}
                  reload={reload}
                />
                {isAllowed(session, "webhooks") && (
                  <WebhookActions
                    name={name}
                    reload={reload}
                    secrets={data.length}
                    session={session}
                    url={url}
                    workspace={id}
                  />
                )}
              </>
            )}
          </Loading>
          {url !== null && isAllowed(session, "webhooks") && (
            <SendTest session={session} workspace={id} name={name} url={url} />
          )}
          {url !== null && <LatestDelivery session={session} workspace={id} name={name} />}
        </div>
      )}
    </Loading>
  )
}
