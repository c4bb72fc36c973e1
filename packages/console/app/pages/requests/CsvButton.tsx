/** Saves what the filters match, and says when that is more than a file has. */
import { useState } from "preact/hooks"
import { type Query, toRequestError } from "../../api/request.ts"
import { formatCount } from "../../format/format.ts"
import { downloadCsv, maxRows } from "./downloadCsv.ts"

export const CsvButton = ({ query }: { readonly query: Query }) => {
  const [note, setNote] = useState("")
  const [isLoading, setLoading] = useState(false)
  const save = async () => {
    setLoading(true)
    setNote("")
    try {
      const hasMore = await downloadCsv(query)
      if (hasMore) setNote(`The file has the first ${formatCount(maxRows)}.`)
    } catch (problem) {
      setNote(toRequestError(problem).message)
    }
    setLoading(false)
  }
  return (
    <>
      <span class="muted small" role="status">
        {note}
      </span>{" "}
      <button type="button" disabled={isLoading} onClick={() => void save()}>
        Download CSV
      </button>
    </>
  )
}
