/** How old what is shown is, and whether the page goes on by itself. */
import { setPaused, useReads } from "../api/reads.ts"
import { formatRelative } from "../format/format.ts"
import { useNow } from "../routing/useNow.ts"

export const Freshness = () => {
  const { isPaused, readAt } = useReads((reads) => reads)
  const now = useNow(1_000)
  return (
    <>
      <button
        type="button"
        aria-pressed={isPaused}
        title="Read nothing more until this is pressed again"
        onClick={() => setPaused(!isPaused)}
      >
        Pause
      </button>
      {readAt !== undefined && (
        <span class="muted small">Updated {formatRelative(readAt, Math.max(now, readAt))}</span>
      )}
    </>
  )
}
