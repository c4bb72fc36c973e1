/** The ways from a request: to the list, and to its neighbours there. */
import { useKey } from "../../shell/useKey.ts"

export const Steps = ({
  id,
  ids,
  list,
  onClose,
  onOpen
}: {
  readonly id: string
  /** The requests that the list shows, in its order. */
  readonly ids: ReadonlyArray<string>
  /** The address of the list with the filters that it had. */
  readonly list: string
  readonly onClose: () => void
  readonly onOpen: (id: string) => void
}) => {
  const at = ids.indexOf(id)
  const step = (by: number): (() => void) | undefined => {
    const other = at === -1 ? undefined : ids[at + by]
    return other === undefined ? undefined : () => onOpen(other)
  }
  const [previous, next] = [step(-1), step(1)]
  useKey("k", previous)
  useKey("j", next)
  useKey("Escape", onClose)
  return (
    <div class="controls">
      <a href={list}>Back to the list</a>
      {at !== -1 && (
        <>
          <button
            type="button"
            aria-keyshortcuts="K"
            disabled={previous === undefined}
            onClick={previous}
          >
            Previous
          </button>
          <button type="button" aria-keyshortcuts="J" disabled={next === undefined} onClick={next}>
            Next
          </button>
          <span class="muted small">
            {at + 1} of {ids.length}
          </span>
        </>
      )}
    </div>
  )
}
