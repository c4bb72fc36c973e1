/** How the contract's Authentication is done: by bearer token, refused in our envelope. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { bearerToken } from "../auth/bearerToken.ts"
import { Admission } from "./Admission.ts"
import { Authentication, CurrentCaller } from "./api/Authentication.ts"
import { refusalOf } from "./errors/refusalOf.ts"
import { refuse } from "./errors/refuse.ts"

export const authenticationLayer: Layer.Layer<Authentication, never, Admission> = Layer.effect(
  Authentication,
  Effect.map(Admission, ({ admit }) => ({
    bearer: (httpEffect) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
        Effect.matchEffect(admit(bearerToken(headers["authorization"])), {
          onSuccess: (caller) => Effect.provideService(httpEffect, CurrentCaller, caller),
          onFailure: (error) => Effect.succeed(refuse(refusalOf(error)))
        })
      )
  }))
)
