/** Parses JSON of requests within bounds. */
import * as Result from "effect/Result"
import { isDeeperThan } from "./isDeeperThan.ts"
import { hasOverflow } from "./hasOverflow.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"

/** Rejects invalid JSON, nesting deeper than `maxDepth`, and numbers that overflow a double. */
export const parseJson = (
  text: string,
  maxDepth: number
): Result.Result<unknown, InvalidRequest> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return failInvalid("the body is not valid JSON")
  }
  // A level costs two characters at least.
  if (text.length > 2 * maxDepth && isDeeperThan(json, maxDepth)) {
    return failInvalid(`the body nests deeper than ${maxDepth} levels`)
  }
  return hasOverflow(text, json)
    ? failInvalid("the body holds a number that is too large")
    : Result.succeed(json)
}

const failInvalid = (problem: string) => Result.fail(new InvalidRequest({ path: [], problem }))
