/** What became of the latest event of a workspace; it may be sent again, which tries the receiver. */
import { isAllowed, type Session } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { Loading } from "../../components/Loading.tsx"
import { Time } from "../../components/Time.tsx"
import { describeAttempt } from "../jobs/describeAttempt.ts"
import { redeliver } from "../jobs/redeliver.ts"

export const LatestDelivery = ({
  name,
  session,
  workspace
}: {
  readonly name: string
  readonly workspace: string
  readonly session: Session
}) => {
  const deliveries = useApi<"deliveries.list">(
    "api/v1/signalbox/deliveries",
    { workspace_id: workspace, limit: 1 },
    { every: 10_000 }
  )
  return (
    <Loading
      loaded={deliveries}
      isEmpty={({ data }) => data.length === 0}
      empty="No event has been sent yet."
    >
      {({ data: [latest] }) =>
        latest === undefined ? null : (
          <p class="small">
            Latest event <code>{latest.type}</code> at <Time at={latest.created_at} />:{" "}
            {latest.state}
            {latest.last_attempt !== null && `, ${describeAttempt(latest.last_attempt)}`}{" "}
            {isAllowed(session, "deliveries") && (
              <ActionButton
                label="Send again"
                about={`the latest event of ${name}`}
                run={() => redeliver(session, latest.id)}
                onDone={deliveries.reload}
              >
                The event <code>{latest.id}</code> is sent to <code>{latest.url}</code> at once,
                even if it was delivered before. Its receiver may have seen it.
              </ActionButton>
            )}
          </p>
        )
      }
    </Loading>
  )
}
