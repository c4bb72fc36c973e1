/** Checks URLs of media that are passed to providers, which fetch them. */
import { parseIpAddress } from "./parseIpAddress.ts"
import { hasAtMostCharacters } from "../../values/validation/maxCharacters.ts"
import { isPrivateHostname } from "./isPrivateHostname.ts"
import { isPublicAddress } from "./isPublicAddress.ts"

/**
 * The problem with a URL; undefined: none. The provider that fetches it checks the addresses to which its name
 * resolves. With `allowPrivateNetworks` any address is allowed.
 */
export const findMediaUrlProblem = (
  text: string,
  { allowPrivateNetworks }: { readonly allowPrivateNetworks: boolean }
): string | undefined => {
  // A data URL may have megabytes and names no host.
  if (/^data:/i.test(text)) return undefined
  // Parsing a URL of megabytes would block the event loop.
  if (!hasAtMostCharacters(text, maxCharacters)) {
    return `must have at most ${maxCharacters} characters`
  }
  // Parsers disagree about the host: the parser of https://url.spec.whatwg.org/#url-parsing drops or replaces these
  // characters.
  if (/[\t\n\r]|^[^?#]*\\/.test(text.trim())) return "must have neither backslashes nor line breaks"
  if (!URL.canParse(text)) return addressRequired
  const { hostname, password, protocol, username } = new URL(text)
  if (protocol !== "https:" && protocol !== "http:") return addressRequired
  if (username !== "" || password !== "") return "must not carry a user or a password"
  if (allowPrivateNetworks) return undefined
  const address = parseIpAddress(hostname)
  if (address === undefined) {
    return isPrivateHostname(hostname) ? "must be at the name of a public host" : undefined
  }
  return isPublicAddress(address)
    ? undefined
    : "must not lead to a private, loopback or link-local address"
}

export const addressRequired = "must be an https, http or data address"

/** Servers take about 8,000 (RFC 9110, 4.1); signed addresses are the longest of those in use. */
const maxCharacters = 8192
