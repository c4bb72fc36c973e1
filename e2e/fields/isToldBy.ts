/** Whether a name of `X-Signalbox-Ignored` says that the field of a row is ignored. */
import type { FieldRow } from "./FieldRow.ts"

/** `messages.2.name` is a place of `messages[].name`; marks of caches are told by their name alone. */
export const isToldBy = ({ field }: Pick<FieldRow, "field">, told: string): boolean => {
  const [path = ""] = field.split(":")
  const place = decodeURIComponent(told).replaceAll(/\.\d+/g, "[]")
  return (
    place === path ||
    place.startsWith(`${path}.`) ||
    path.startsWith(`${place}.`) ||
    path.startsWith(`${place}[]`) ||
    path.endsWith(`.${place}`) ||
    path.includes(`.${place}.`) ||
    path.includes(`.${place}[]`)
  )
}
