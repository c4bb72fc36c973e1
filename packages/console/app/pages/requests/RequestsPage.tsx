/** Requests: what happened when, the list, one of them in detail, and those that were refused before they were routed. */
import { useEffect, useRef } from "preact/hooks"
import { navigate, toHash } from "../../routing/location.ts"
import type { PageProps } from "../../shell/Page.ts"
import { Compare } from "./Compare.tsx"
import { RefusedList } from "./RefusedList.tsx"
import { RequestDetail } from "./RequestDetail.tsx"
import { RequestList } from "./RequestList.tsx"

export const RequestsPage = ({ location, session }: PageProps) => {
  const [, id, other] = location.path
  /** What the list showed last, and the request that was opened from it. */
  const last = useRef<{ query: Readonly<Record<string, string>>; id?: string }>({ query: {} })
  if (id === undefined) last.current.query = location.query
  else last.current.id = id

  const list = toHash(["requests"], last.current.query)

  useEffect(() => {
    if (id === undefined) return
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || isNeeded(event.target)) return
      navigate(list)
    }
    addEventListener("keydown", close)
    return () => removeEventListener("keydown", close)
  }, [id, list])

  if (id !== undefined && other !== undefined) {
    return <Compare key={`${id} ${other}`} ids={[id, other]} list={list} session={session} />
  }
  if (id === undefined && location.query["list"] === "refused") {
    return <RefusedList status={location.query["status"]} />
  }
  return id === undefined ? (
    <RequestList query={location.query} opened={last.current.id} session={session} />
  ) : (
    <RequestDetail key={id} id={id} list={list} session={session} />
  )
}

/** Whether Escape has a meaning where it is pressed: it clears fields and closes dialogs. */
const isNeeded = (target: EventTarget | null): boolean =>
  document.querySelector("dialog[open]") !== null ||
  (target instanceof Element && target.matches("input, select, textarea"))
