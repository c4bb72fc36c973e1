/** Declares the credentials of Anthropic's clients, and the errors that every operation for them may have. */
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import { messagesErrors } from "./MessagesErrorEnvelope.ts"

/** Only a declaration: `makeContractResponder` authenticates. */
export class MessagesAuthentication extends HttpApiMiddleware.Service<MessagesAuthentication>()(
  "@signalbox/core/api/messages/MessagesAuthentication",
  {
    security: {
      key: HttpApiSecurity.apiKey({ in: "header", key: "x-api-key" }),
      bearer: HttpApiSecurity.bearer
    },
    error: messagesErrors
  }
) {}
