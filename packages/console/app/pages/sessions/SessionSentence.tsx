/** What the session of a list of requests came to. */
import { useApi } from "../../api/useApi.ts"
import { toHash } from "../../routing/location.ts"
import { describeSession } from "./describeSession.ts"

export const SessionSentence = ({
  id,
  from,
  query: { workspace_id, key_hash, user, external_user, model },
  to
}: {
  readonly id: string
  /** Begin and end of the list, in ISO 8601. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** The filters of the list. */
  readonly query: Readonly<Record<string, string | undefined>>
}) => {
  const { data } = useApi<"sessions.list">("api/v1/signalbox/sessions", {
    session_id: id,
    from,
    to,
    workspace_id,
    key_hash,
    user,
    external_user,
    model,
    limit: 10
  })
  if (data === undefined || data.data.length === 0) return null
  return (
    <>
      {data.data.map((session) => (
        <p key={session.workspace_id} class="sentence" role="status">
          <bdi>{describeSession(session)}</bdi>{" "}
          <a href={toHash(["sessions"], { workspace_id: session.workspace_id })}>All sessions</a>
        </p>
      ))}
    </>
  )
}
