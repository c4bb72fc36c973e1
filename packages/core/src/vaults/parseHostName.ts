/** The one spelling of a host's name that secrets are bound to and released by. Source: semantics D2. */
import * as Result from "effect/Result"

/**
 * The name in lower case without a trailing dot, or what is wrong with it. A name that is not ASCII has to be
 * given as it is looked up (`xn--…`): of two that look alike only one is meant. Addresses are no names.
 */
export const parseHostName = (text: string): Result.Result<string, string> => {
  // Before it is put in lower case, which makes an ASCII letter of some that are none.
  if (!allowedPattern.test(text))
    return Result.fail("must be the exact name of a host, and nothing else")
  const name = text.toLowerCase().replace(/\.$/, "")
  if (name.length > maxNameLength || !name.split(".").every((part) => labelPattern.test(part))) {
    return Result.fail("must be the exact name of a host, and nothing else")
  }
  const url = `https://${name}/`
  // A client that parses it must come to the same host: to some, `0x7f.1` is an address.
  if (!URL.canParse(url) || new URL(url).hostname !== name || ipv4Pattern.test(name)) {
    return Result.fail("must be the name of a host as it is looked up, not an address")
  }
  return Result.succeed(name)
}

const allowedPattern = /^[A-Za-z0-9.-]+$/
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const ipv4Pattern = /^[0-9]+(?:\.[0-9]+){3}$/

/** Source: RFC 1035, 2.3.4, less what a message adds around it. */
const maxNameLength = 253
