/** What a secret of a vault may be called, may say and may be bound to. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
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

/**
 * The name in lower case without a trailing dot, or the problem. Names must be ASCII (`xn--…`), because Unicode
 * names may look alike. IP addresses are not names.
 */
export const parseHostName = (text: string): Result.Result<string, string> => {
  // Before lower-casing, which turns some non-ASCII letters into ASCII ones.
  if (!allowedPattern.test(text))
    return Result.fail("must be the exact name of a host, and nothing else")
  const name = text.toLowerCase().replace(/\.$/, "")
  if (name.length > maxNameLength || !name.split(".").every((part) => labelPattern.test(part))) {
    return Result.fail("must be the exact name of a host, and nothing else")
  }
  const url = `https://${name}/`
  // URL parsers must see the same host; some read `0x7f.1` as an address.
  if (!URL.canParse(url) || new URL(url).hostname !== name || ipv4Pattern.test(name)) {
    return Result.fail("must be the name of a host as it is looked up, not an address")
  }
  return Result.succeed(name)
}

const allowedPattern = /^[A-Za-z0-9.-]+$/

const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const ipv4Pattern = /^[0-9]+(?:\.[0-9]+){3}$/

/** https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4, without the length octets of a message. */
const maxNameLength = 253
