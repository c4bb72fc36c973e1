/** Validates callback URLs: https on the default port, a public hostname, no credentials. */
import * as Result from "effect/Result"
import { isPrivateHostname, isPublicAddress, parseIpAddress } from "./publicAddress.ts"
import { hasAtMostCharacters } from "../../values/validation/text.ts"

/**
 * The normalized URL, or the problem. The client that connects checks the resolved addresses, because DNS may change
 * until then.
 */
export const parseCallbackUrl = (
  text: string,
  { allowPrivateNetworks }: { readonly allowPrivateNetworks: boolean }
): Result.Result<string, string> => {
  if (!hasAtMostCharacters(text, maxCharacters))
    return Result.fail(`must have at most ${maxCharacters} characters`)
  if (!URL.canParse(text)) return Result.fail("must be an https address")
  const url = new URL(text)
  if (url.protocol !== "https:" && !(allowPrivateNetworks && url.protocol === "http:")) {
    return Result.fail("must be an https address")
  }
  if (url.username !== "" || url.password !== "") {
    return Result.fail("must not carry a user or a password")
  }
  if (allowPrivateNetworks) return Result.succeed(url.href)
  if (url.port !== "") return Result.fail("must not name a port")
  const problem = findHostProblem(url.hostname)
  return problem === undefined ? Result.succeed(url.href) : Result.fail(problem)
}

const maxCharacters = 2048

const findHostProblem = (hostname: string): string | undefined => {
  const address = parseIpAddress(hostname)
  if (address === undefined) {
    return isPrivateHostname(hostname) ? "must be the name of a public host" : undefined
  }
  return isPublicAddress(address)
    ? "must be the name of a host, not an address"
    : "must not lead to a private, loopback or link-local address"
}
