/** What a page shows while it has no data: progress, the problem, or how to get data. */
import type { ComponentChildren } from "preact"
import type { Loaded } from "../api/useApi.ts"
import { formatRelative } from "../format/format.ts"
import { useNow } from "../routing/useNow.ts"

/** Shows `children` of the data. Data stays visible while it is read again, and when that fails: then without colours, and with its age. */
export const Loading = <A,>({
  children,
  empty,
  isEmpty,
  loaded
}: {
  readonly loaded: Pick<Loaded<A>, "data" | "error" | "readAt" | "reload">
  readonly isEmpty?: (data: A) => boolean
  /** How to get data. */
  readonly empty?: ComponentChildren
  readonly children: (data: A) => ComponentChildren
}) => {
  const { data, error, readAt, reload } = loaded
  return (
    <>
      {error !== undefined && (
        <div class="note note-bad" role="alert">
          <span>
            {error.message}
            {data !== undefined && readAt !== undefined && <Age at={readAt} />}
          </span>
          {error.isSignedOut ? (
            // The host answers a page that nobody is signed in to with its login.
            <button type="button" onClick={() => location.reload()}>
              Sign in again
            </button>
          ) : (
            <button type="button" onClick={reload}>
              Try again
            </button>
          )}
        </div>
      )}
      {data === undefined ? (
        error === undefined && (
          <div class="progress" role="status">
            Loading…
          </div>
        )
      ) : isEmpty?.(data) === true ? (
        <div class="empty">{empty}</div>
      ) : (
        <div class={error === undefined ? "loaded" : "loaded stale"}>{children(data)}</div>
      )}
    </>
  )
}

const Age = ({ at }: { readonly at: number }) => (
  <> What is shown was read {formatRelative(at, useNow(1_000))}.</>
)
