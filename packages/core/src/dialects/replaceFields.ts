/** Changes some fields of a request that is passed on as its caller wrote it. */
import { setOwn } from "../values/setOwn.ts"

type Json = Readonly<Record<string, unknown>>

/** Fields keep their places, new ones come last, and undefined removes a field. */
export const replaceFields = (body: Json, fields: Json): Json => {
  const replaced: Record<string, unknown> = {}
  for (const name of Object.keys(body)) {
    const value = Object.hasOwn(fields, name) ? fields[name] : body[name]
    if (value !== undefined) setOwn(replaced, name, value)
  }
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(body, name) && fields[name] !== undefined)
      setOwn(replaced, name, fields[name])
  }
  return replaced
}
