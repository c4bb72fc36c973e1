/** Normalizes the host names that secrets are bound to and released to. */
import * as Result from "effect/Result"

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
