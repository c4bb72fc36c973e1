/** Which addresses of pictures, sound and video are handed on to providers, who fetch them. */
import { parseIpAddress } from "../values/network/parseIpAddress.ts"
import { hasAtMostCharacters } from "../values/validation/maxCharacters.ts"
import { isPrivateHostname } from "../values/network/isPrivateHostname.ts"
import { isPublicAddress } from "../values/network/isPublicAddress.ts"

/**
 * What is wrong with one; undefined: nothing. What its name resolves to is for whoever fetches it to check.
 * With `allowPrivateNetworks` it may lead anywhere.
 */
export const findMediaUrlProblem = (
  text: string,
  { allowPrivateNetworks }: { readonly allowPrivateNetworks: boolean }
): string | undefined => {
  // Megabytes of it are not read for what says nothing of where they are.
  if (/^data:/i.test(text)) return undefined
  // Reading an address of megabytes holds everybody else up.
  if (!hasAtMostCharacters(text, maxCharacters)) {
    return `must have at most ${maxCharacters} characters`
  }
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

const addressRequired = "must be an https, http or data address"

/** Servers take about 8,000 (RFC 9110, 4.1); signed addresses are the longest of those in use. */
const maxCharacters = 8192
