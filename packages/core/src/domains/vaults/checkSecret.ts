/** What a secret of a vault may be called, may say and may be bound to. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { parseHostName } from "./parseHostName.ts"
import { maxHosts, maxValueLength } from "./Secret.ts"

export const checkName = (name: string): Effect.Effect<void, InvalidRequest> =>
  isSecretName(name)
    ? Effect.void
    : failInvalid(
        ["name"],
        "must have 1 to 255 lower-case letters, digits and single underscores between them, a letter first"
      )

export const checkValue = (value: Redacted.Redacted): Effect.Effect<void, InvalidRequest> => {
  const text = Redacted.value(value)
  if (text.length < 1 || text.length > maxValueLength) {
    return failInvalid(["value"], `must have 1 to ${maxValueLength} characters`)
  }
  // Encoding as UTF-8 would change the value.
  return text.isWellFormed() ? Effect.void : failInvalid(["value"], "must be well-formed Unicode")
}

export const parseHosts = (
  hosts: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string>, InvalidRequest> => {
  if (hosts.length < 1 || hosts.length > maxHosts) {
    return Result.fail(
      new InvalidRequest({ path: ["hosts"], problem: `must name 1 to ${maxHosts} hosts` })
    )
  }
  const names = new Set<string>()
  for (const [index, host] of hosts.entries()) {
    const name = parseHostName(host)
    if (Result.isFailure(name)) {
      return Result.fail(new InvalidRequest({ path: ["hosts", index], problem: name.failure }))
    }
    names.add(name.success)
  }
  return Result.succeed(Array.from(names))
}

const failInvalid = (path: ReadonlyArray<string>, problem: string) =>
  Effect.fail(new InvalidRequest({ path, problem }))

export const isSecretName = (name: string): boolean => name.length <= 255 && namePattern.test(name)

const namePattern = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
