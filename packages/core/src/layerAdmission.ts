/** Who may call, as the options say: authentication and rate limits. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Authenticate, Authenticator } from "./tenants/auth/Authenticator.ts"
import { RequestLimiter } from "./tenants/auth/rateLimits/RequestLimiter.ts"
import { Admission } from "./api/server/Admission.ts"
import type { Options } from "./Options.ts"
import { buildPluggable } from "./Pluggable.ts"

export const layerAdmission = (options: Options) =>
  Admission.layer.pipe(Layer.provide([layerAuthenticator(options), RequestLimiter.layer]))

const layerAuthenticator = ({ authenticate }: Options) =>
  authenticate === undefined
    ? Authenticator.layer
    : Layer.unwrap(
        Effect.map(
          buildPluggable("authenticate", Authenticate, authenticate),
          Authenticator.layerHost
        )
      )
