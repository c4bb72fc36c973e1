/** Says why a page has no actions. */
import type { Session } from "../api/request.ts"

export const ReadOnlyNote = ({
  actions,
  session
}: {
  readonly session: Session
  /** What one could do, such as "retry deliveries". */
  readonly actions: string
}) =>
  session.allow_actions ? null : (
    <p class="muted small">
      This console is read-only. With <code>allowActions</code> of its host, you could {actions}{" "}
      here.
    </p>
  )
