/** A point in time, in the zone of the viewer; in UTC when hovered. */
import { formatTime } from "../format/format.ts"

export const Time = ({ at }: { readonly at: number | string }) => {
  const date = new Date(at).toISOString()
  return (
    <time dateTime={date} title={date}>
      {formatTime(at)}
    </time>
  )
}
