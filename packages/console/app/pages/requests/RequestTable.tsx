/** The table of requests. */
import { useEffect, useRef } from "preact/hooks"
import { Table } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { usePreferences } from "../../preferences/preferences.ts"
import { navigate, toHash } from "../../routing/location.ts"
import type { RequestSummary } from "./RequestRecord.ts"
import { pickColumns } from "./requestColumns.tsx"

const openPage = (id: string): void => navigate(toHash(["requests", id]))

export const RequestTable = ({
  onOpen = openPage,
  opened,
  rows,
  selection,
  shown
}: {
  /** The requests that are selected to be compared; absent: none can be. */
  readonly selection?: {
    readonly ids: ReadonlyArray<string>
    readonly onChange: (ids: ReadonlyArray<string>) => void
  }
  readonly rows: ReadonlyArray<RequestSummary>
  /** The request that is shown beside the list. */
  readonly shown?: string | undefined
  /** The request that was shown last; its row has the focus again. */
  readonly opened: string | undefined
  readonly onOpen?: (id: string) => void
}) => {
  const link = useRef<HTMLAnchorElement>(null)
  const { requestColumns } = usePreferences()
  useEffect(() => {
    // Rows may come when somebody types elsewhere.
    const isFree = document.activeElement?.matches("body, main") === true
    if (shown === undefined && isFree) link.current?.focus({ preventScroll: true })
  }, [shown])
  return (
    <Table
      caption="Requests"
      rows={rows}
      toKey={({ id }) => id}
      isCurrent={({ id }) => id === shown}
      onOpen={({ id }) => onOpen(id)}
      columns={[
        {
          title: "Began",
          cell: ({ created_at: at, id }) => (
            <a
              href={toHash(["requests", id])}
              title={id}
              onClick={(event) => {
                // Another tab gets the page of the request.
                const { altKey, button, ctrlKey, metaKey, shiftKey } = event
                if (button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return
                event.preventDefault()
                onOpen(id)
              }}
              {...(id === opened ? { ref: link } : undefined)}
            >
              <Time at={at} />
            </a>
          )
        },
        ...pickColumns(requestColumns),
        ...(selection === undefined
          ? []
          : [
              {
                title: "Compare",
                cell: ({ id }: RequestSummary) => (
                  <input
                    type="checkbox"
                    aria-label={`Compare ${id}`}
                    checked={selection.ids.includes(id)}
                    // A third one takes the place of the first.
                    onChange={({ currentTarget: { checked } }) =>
                      selection.onChange(
                        checked
                          ? [...selection.ids, id].slice(-2)
                          : selection.ids.filter((each) => each !== id)
                      )
                    }
                  />
                )
              }
            ])
      ]}
    />
  )
}
