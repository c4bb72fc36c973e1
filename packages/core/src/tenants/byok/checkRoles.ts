/** Whether the roles of a credential contradict each other. */
import * as Result from "effect/Result"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import type { Credential } from "./Credential.ts"

type Roles = Partial<Pick<Credential, "is_byok_only" | "is_fallback">>

export const checkRoles = ({
  is_byok_only,
  is_fallback
}: Roles): Result.Result<void, InvalidRequest> =>
  is_byok_only === true && is_fallback === true
    ? Result.fail(
        new InvalidRequest({
          path: ["is_byok_only"],
          problem: "cannot be combined with is_fallback"
        })
      )
    : Result.void
