/** Keeps secrets of management keys from operators: with one, they could do more than the host allows here. */
import type { ApiKeys, Caller } from "@signalbox/core/adapter"
import * as Effect from "effect/Effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { refuse } from "./refuse.ts"

/** Answers a request that would reveal one. A key that does not exist is left to the operation. */
export const makeSecretGuard =
  (keys: Pick<ApiKeys["Service"], "get">) =>
  (
    operation: string,
    params: Readonly<Record<string, string | undefined>> | undefined,
    caller: Caller
  ): Effect.Effect<HttpServerResponse.HttpServerResponse | undefined> =>
    operation === "keys.rotate"
      ? keys.get(caller, params?.["hash"] ?? "").pipe(
          Effect.map(({ key }) => (key.kind === "management" ? refused : undefined)),
          Effect.catchTag("ResourceNotFound", () => Effect.undefined)
        )
      : Effect.undefined

const refused = refuse(
  403,
  "management keys are not rotated in a console: their secret may do more than the console"
)
