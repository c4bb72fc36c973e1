/** Says why a page has no actions. */
import { type ActionGroup, isAllowed, type Session } from "../api/request.ts"

export const ReadOnlyNote = ({
  actions,
  group,
  session
}: {
  readonly session: Session
  /** What allows the actions. */
  readonly group: ActionGroup
  /** What one could do, such as "retry deliveries". */
  readonly actions: string
}) =>
  isAllowed(session, group, ...(group === "disableKeys" ? (["keys"] as const) : [])) ? null : (
    <p class="muted small">
      This {session.allow.length === 0 ? "console" : "page"} is read-only. With{" "}
      <code>{`allow: ["${group}"]`}</code> of its host, you could {actions} here.
    </p>
  )
