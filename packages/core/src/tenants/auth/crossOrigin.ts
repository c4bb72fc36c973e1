/** Tells requests that a page of another origin may have made a browser send with the user's cookies. */
import * as Effect from "effect/Effect"
import { Settings, type SettingsShape } from "../../instance/Settings.ts"
import type { AuthenticationRequest, RequestArrival } from "./AuthenticationRequest.ts"

type Headers = AuthenticationRequest["headers"]

/**
 * Whether a page of another origin may have sent it. Browsers say that in `Sec-Fetch-Site`
 * (https://developer.mozilla.org/docs/Web/HTTP/Headers/Sec-Fetch-Site), and on plain HTTP in `Origin` alone; no page can set
 * either. Addresses that the user typed pass, and clients other than browsers, which send neither. The
 * rules are those of [Go's `CrossOriginProtection`](https://pkg.go.dev/net/http#CrossOriginProtection) and of
 * [OWASP](https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html).
 */
export const isCrossOrigin = (headers: Headers, arrival?: RequestArrival): boolean => {
  const { origin, "sec-fetch-site": site } = headers
  if (site !== undefined) return site !== "same-origin" && site !== "none"
  return origin !== undefined && !isOwnOrigin(headers, arrival)
}

/**
 * Whether the `Origin` is the server's own. A proxy may have replaced `Host`, and each of several adds one to
 * `X-Forwarded-Host` (https://github.com/bottlepy/bottle/pull/1109); a page of another site cannot set that without a preflight
 * either. A web-standard request may have only its URL.
 */
export const isOwnOrigin = (headers: Headers, arrival?: RequestArrival): boolean => {
  const { host, origin, "x-forwarded-host": forwarded } = headers
  if (origin === undefined || !URL.canParse(origin)) return false
  const own = host ?? headers[":authority"] ?? parseAuthority(arrival?.originalUrl)
  const hosts = [own, ...(forwarded?.split(",") ?? [])]
  const { host: sender } = new URL(origin)
  // Origins such as `file://` have none.
  return sender !== "" && hosts.some((each) => each?.trim().toLowerCase() === sender)
}

const parseAuthority = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]

/**
 * Yields the check of requests that the host has authenticated: whether a request has nothing that a page has to add, and a
 * page of an origin that is not trusted may have sent it. Safe methods change and spend nothing.
 */
export const makeOriginCheck = Effect.gen(function* () {
  const isTrusted = makeTrust(yield* Settings)
  return (request: AuthenticationRequest, arrival?: RequestArrival): boolean => {
    const { headers, method } = request
    return (
      !safeMethods.has(method) &&
      isAmbient(request) &&
      isCrossOrigin(headers, arrival) &&
      !isTrusted(headers["origin"])
    )
  }
})

/** https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1 */
const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/**
 * A page of another origin cannot add a token without a CORS preflight, which the host answers:
 * https://fetch.spec.whatwg.org/#cors-preflight-fetch. Without one, the host knows the user by what comes by itself: a cookie, a
 * client certificate, an address, or a header of a proxy that has kept the cookie to itself.
 */
const isAmbient = ({ headers: { authorization }, token }: AuthenticationRequest): boolean =>
  token === undefined && (authorization === undefined || browserSchemes.test(authorization))

/** The schemes that browsers answer by themselves: https://fetch.spec.whatwg.org/#authentication-entry */
const browserSchemes = /^(?:basic|digest|negotiate|ntlm)(?: |$)/i

const makeTrust = ({
  publicUrl,
  trustedOrigins
}: Pick<SettingsShape, "publicUrl" | "trustedOrigins">) => {
  const trusted: ReadonlySet<string | undefined> = new Set([
    ...trustedOrigins.map(normalizeOrigin),
    ...(publicUrl === undefined ? [] : [normalizeOrigin(publicUrl)])
  ])
  const trustsAll = trusted.has("*")
  return (origin: string | undefined): boolean =>
    trustsAll || (origin !== undefined && trusted.has(origin))
}

/** As browsers write it: in lower case, without the default port. */
const normalizeOrigin = (origin: string): string =>
  URL.canParse(origin) ? new URL(origin).origin : origin
