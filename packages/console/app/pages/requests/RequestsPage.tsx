/** Requests: what happened when, the list, one of them in detail, and those that were refused before they were routed. */
import { useRef, useState } from "preact/hooks"
import { navigate, replaceHash, toHash } from "../../routing/location.ts"
import { useMedia } from "../../routing/useMedia.ts"
import type { PageProps } from "../../shell/Page.ts"
import { useKey } from "../../shell/useKey.ts"
import { Compare } from "./Compare.tsx"
import { RefusedList } from "./RefusedList.tsx"
import { RequestDetail } from "./RequestDetail.tsx"
import { RequestList } from "./RequestList.tsx"
import { RequestSheet } from "./RequestSheet.tsx"
import { Steps } from "./Steps.tsx"

/** Where a request has room beside the list. */
const wide = "(min-width: 1100px)"

export const RequestsPage = ({ location: { path, query }, session }: PageProps) => {
  const [, id, other] = path
  const { open, ...listed } = query
  const isWide = useMedia(wide)
  /** What the list showed last, and the request that was opened from it. */
  const last = useRef<{ query: Readonly<Record<string, string>>; id?: string }>({ query: {} })
  const [ids, setIds] = useState<ReadonlyArray<string>>([])
  if (id === undefined) last.current.query = listed
  const shown = id ?? open
  if (shown !== undefined) last.current.id = shown

  const list = toHash(["requests"], last.current.query)
  const close = () => navigate(list)
  useKey("Escape", other === undefined ? undefined : close)

  /** The filters stay in the address of a request that is beside the list. */
  const toAddress = (request: string) =>
    id === undefined
      ? toHash(["requests"], { ...listed, open: request })
      : toHash(["requests", request])
  const openFromList = (request: string) =>
    navigate(isWide ? toAddress(request) : toHash(["requests", request]))

  if (id !== undefined && other !== undefined) {
    return <Compare key={`${id} ${other}`} ids={[id, other]} list={list} session={session} />
  }
  if (shown === undefined && query["list"] === "refused") {
    return <RefusedList status={query["status"]} />
  }
  const isListed = id === undefined && (isWide || open === undefined)
  const detail = shown !== undefined && (
    <>
      <Steps
        id={shown}
        ids={ids}
        list={list}
        onClose={close}
        // Back leads to the list, and not through all that were looked at.
        onOpen={(request) => replaceHash(toAddress(request))}
      />
      <RequestDetail key={shown} id={shown} session={session} />
    </>
  )
  return (
    <>
      {isListed && (
        <RequestList
          query={listed}
          opened={last.current.id}
          shown={open}
          session={session}
          onOpen={openFromList}
          onRows={setIds}
        />
      )}
      {isListed && shown !== undefined ? <RequestSheet id={shown}>{detail}</RequestSheet> : detail}
    </>
  )
}
