/** Fails because a dialect cannot express a part of a request. */
import * as Result from "effect/Result"
import { UntranslatableRequest } from "./UntranslatableRequest.ts"

export const failTranslation = (
  path: ReadonlyArray<number | string>,
  problem: string
): Result.Result<never, UntranslatableRequest> =>
  Result.fail(new UntranslatableRequest({ path, problem }))
