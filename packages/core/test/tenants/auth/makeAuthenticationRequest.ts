/** An authentication request with only a bearer token. */
import * as Redacted from "effect/Redacted"
import type { AuthenticationRequest } from "../../../src/tenants/auth/AuthenticationRequest.ts"

export const makeAuthenticationRequest = (
  token: string | Redacted.Redacted
): AuthenticationRequest => ({
  method: "GET",
  path: "/api/v1/key",
  headers: {},
  token: typeof token === "string" ? token : Redacted.value(token),
  source: {}
})
