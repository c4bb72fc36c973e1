/** Loads the code of a page, and shows the page. */
import type { ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { Page, PageProps } from "./Page.ts"

/** What is loaded is shown at once from then on. */
const views = new Map<Page, ComponentType<PageProps>>()

export const PageView = ({ page, ...props }: PageProps & { readonly page: Page }) => {
  const [, setRound] = useState(0)
  const [failed, setFailed] = useState<Page | undefined>(undefined)
  const View = views.get(page)
  useEffect(() => {
    if (views.has(page)) return
    let isGone = false
    const load = async () => {
      try {
        views.set(page, await page.load())
        if (!isGone) setRound((round) => round + 1)
      } catch {
        if (!isGone) setFailed(page)
      }
    }
    void load()
    return () => {
      isGone = true
    }
  }, [page])
  if (View !== undefined) return <View {...props} />
  return failed === page ? (
    <div class="note note-bad" role="alert">
      <span>
        This page could not be loaded: the server does not answer, has another version, or wants you
        to sign in.
      </span>
      {/* A browser may remember that a module failed. */}
      <button type="button" onClick={() => location.reload()}>
        Load again
      </button>
    </div>
  ) : (
    <div class="progress" role="status">
      Loading…
    </div>
  )
}
