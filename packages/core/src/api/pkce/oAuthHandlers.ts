/** Handlers of the operations by which applications sign in. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { AuthCodes } from "../../domains/pkce/AuthCodes.ts"
import type { Handlers } from "../operation/Handler.ts"
import type { OAuthApi } from "./OAuthApi.ts"

export const oAuthHandlers = AuthCodes.useSync((codes): Handlers<typeof OAuthApi> => ({
  createCode: ({ payload }, { caller }) =>
    Effect.map(codes.create(caller, payload), ({ app, code, createdAt }) => ({
      data: { id: Redacted.value(code), app_id: app, created_at: createdAt }
    })),
  exchangeCode: ({ payload }) =>
    Effect.map(codes.exchange(payload), ({ key, user }) => ({
      key: Redacted.value(key),
      user_id: user
    }))
}))
