/** The token of an `Authorization: Bearer <token>` header; undefined for anything else. */
export const parseBearerToken = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : /^bearer +(\S+) *$/i.exec(header)?.[1]
