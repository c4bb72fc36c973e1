/** A request beside the list that it was opened from, which stays in sight. */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

export const RequestSheet = ({
  children,
  id
}: {
  readonly id: string
  readonly children: ComponentChildren
}) => {
  const sheet = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const { current } = sheet
    if (current === null) return
    current.scrollTop = 0
    // Who steps through requests stays on the button.
    if (!current.contains(document.activeElement)) current.focus({ preventScroll: true })
  }, [id])
  return (
    <aside ref={sheet} class="sheet" aria-label="Request" tabIndex={-1}>
      {children}
    </aside>
  )
}
