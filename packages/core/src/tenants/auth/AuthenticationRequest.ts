/** A request as an authenticator sees it, the same for every host. */
export interface AuthenticationRequest<Source = unknown> {
  /** In upper case, for example `POST`. */
  readonly method: string
  /** The path below the mount, without the query, for example `/api/v1/chat/completions`. */
  readonly path: string
  /** By name in lower case, for example `cookie`; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /**
   * The token of `Authorization: Bearer <token>`, or of `x-api-key`, which comes first, from clients of Anthropic's API;
   * undefined without such a header.
   */
  readonly token: string | undefined
  /**
   * The host's own request, with what its middleware added, such as a user or a session: the request of Express or Fastify,
   * Node's `IncomingMessage`, a web-standard `Request`, or what `toRequest` of `@signalbox/web` takes. Each mount says
   * which. Leave its body unread.
   */
  readonly source: Source
}

/** What else an authenticator may know of a request that arrived over HTTP. */
export interface RequestArrival {
  /** What it came over, such as a socket; absent: the host does not know. */
  readonly connection?: object | undefined
  /** With scheme and authority, if the host knows them. */
  readonly originalUrl?: string
}

/** The token of an `Authorization: Bearer <token>` header; undefined for anything else. */
export const parseBearerToken = (header: string | undefined): string | undefined =>
  header !== undefined && /^bearer +\S+ *$/i.test(header)
    ? header.slice("bearer ".length).trim()
    : undefined

/** The key of an `x-api-key` header; undefined without one. */
export const parseKeyHeader = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : /^ *(\S+) *$/.exec(header)?.[1]

/** The secrets of a request that the error of an authenticator may repeat, and that must not be logged. */
export const listSecrets = ({ headers, token }: AuthenticationRequest): ReadonlyArray<string> => {
  const secret = Object.entries(headers).flatMap(([name, value]) =>
    value !== undefined && /auth|cookie|key|secret|session|signature|token/.test(name)
      ? [value, ...(name === "cookie" ? parseCookieValues(value) : [])]
      : []
  )
  return token === undefined ? secret : [token, ...secret]
}

/** Shorter values, for example `dark`, are not secrets and occur in ordinary text. */
const parseCookieValues = (header: string): ReadonlyArray<string> =>
  header
    .split(";")
    .map((cookie) => cookie.slice(cookie.indexOf("=") + 1).trim())
    .filter((value) => value.length >= 8)
