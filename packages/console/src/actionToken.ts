/** A token that the page repeats with every action. Only the page can read it, and only its own origin can send it. */
import type { IncomingRequest } from "@signalbox/core/adapter"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Cookies from "effect/http/Cookies"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

const cookieName = "signalbox-console"

/** The header in which the page repeats its token. */
const headerName = "x-signalbox-token"

/** The token of an earlier page, which other tabs still use, or a new one. */
export const issueToken = (request: IncomingRequest): string =>
  findToken(request) ?? SecureRandom.uuidV4Unsafe()

/** The cookie makes every process of the host able to check the token. By default its path is the console's. */
export const setTokenCookie = (
  response: HttpServerResponse.HttpServerResponse,
  token: string
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(response, cookieName, token, {
    httpOnly: true,
    sameSite: "strict"
  })

export const hasToken = (request: IncomingRequest): boolean => {
  const token = findToken(request)
  return token !== undefined && request.headers[headerName] === token
}

const findToken = ({ headers }: IncomingRequest): string | undefined => {
  const token = Cookies.parseHeader(headers["cookie"] ?? "")[cookieName]
  return token !== undefined && /^[0-9a-f-]{36}$/.test(token) ? token : undefined
}
