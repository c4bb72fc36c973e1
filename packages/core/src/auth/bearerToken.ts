/** The token of an `Authorization: Bearer <token>` header; undefined for anything else. */
import * as Redacted from "effect/Redacted"

export const bearerToken = (header: string | undefined): Redacted.Redacted | undefined => {
  const token = header === undefined ? undefined : /^bearer +(\S+) *$/i.exec(header)?.[1]
  return token === undefined ? undefined : Redacted.make(token, { label: "api key" })
}
