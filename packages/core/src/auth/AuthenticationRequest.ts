/** A request as an authenticator sees it: the same behind every host. */
export interface AuthenticationRequest {
  /** In upper case, such as `POST`. */
  readonly method: string
  /** Below the mount and without its query, such as `/api/v1/chat/completions`. */
  readonly path: string
  /** By name in lower case, such as `cookie`; a header that was sent several times is one, joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The token of `Authorization: Bearer <token>`; undefined without such a header. */
  readonly token: string | undefined
}

/** What an authenticator may repeat in an error, and no log may show. */
export const listSecrets = ({ headers, token }: AuthenticationRequest): ReadonlyArray<string> => {
  const secret = Object.entries(headers).flatMap(([name, value]) =>
    value !== undefined && /auth|cookie|key|secret|session|signature|token/.test(name)
      ? [value, ...(name === "cookie" ? parseCookieValues(value) : [])]
      : []
  )
  return token === undefined ? secret : [token, ...secret]
}

/** A shorter value, such as `dark`, is no secret, and stands in any text. */
const parseCookieValues = (header: string): ReadonlyArray<string> =>
  header
    .split(";")
    .map((cookie) => cookie.slice(cookie.indexOf("=") + 1).trim())
    .filter((value) => value.length >= 8)
