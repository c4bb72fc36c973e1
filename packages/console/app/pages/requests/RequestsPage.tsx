/** Requests: what happened when, the list, and one of them in detail. */
import type { PageProps } from "../../shell/Page.ts"
import { RequestDetail } from "./RequestDetail.tsx"
import { RequestList } from "./RequestList.tsx"

export const RequestsPage = ({ location }: PageProps) => {
  const [, id] = location.path
  return id === undefined ? (
    <RequestList query={location.query} />
  ) : (
    <RequestDetail key={id} id={id} />
  )
}
