/** Signs applications in: makes codes for users who consent, and exchanges them for API keys. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { RateLimited } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { QuotaExceeded } from "../../values/enforceQuota.ts"
import type { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { AuthCodeRefused, ConsentRefused, PkceOff } from "./AuthCode.ts"
import type { AuthCodeExchange, NewAuthCode } from "./AuthCodeRequests.ts"

/** A code, which cannot be shown again. */
export interface CreatedAuthCode {
  readonly code: Redacted.Redacted
  /** The place of the callback address in the list of the host, from 1; 0: the request names none. */
  readonly app: number
  /** ISO 8601. */
  readonly createdAt: string
}

/** Signs applications in. */
export class AuthCodes extends Context.Service<
  AuthCodes,
  {
    /** The consent of the caller. The new key gets no more than the caller has. */
    readonly create: (
      caller: Caller,
      config: NewAuthCode
    ) => Effect.Effect<CreatedAuthCode, ConsentRefused | InvalidRequest | PkceOff | QuotaExceeded>
    /** Makes the key. Race: of concurrent exchanges of a code, in any process, one gets a key. */
    readonly exchange: (
      request: AuthCodeExchange
    ) => Effect.Effect<
      { readonly key: Redacted.Redacted; readonly user: string | null },
      AuthCodeRefused | InvalidRequest | PkceOff | QuotaExceeded | RateLimited
    >
  }
>()("@signalbox/core/domains/pkce/AuthCodes") {
  static readonly layer = layerOnDemand(
    AuthCodes,
    { create: "call", exchange: "call" },
    importNamed(() => import("./layerAuthCodes.ts"), "layerAuthCodes")
  )
}
