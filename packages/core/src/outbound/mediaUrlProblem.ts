/** Which addresses of pictures, sound and video are handed on to providers, who fetch them. */
import { addressIn } from "../values/addressIn.ts"
import { hasAtMostCharacters } from "../values/characters.ts"
import { isPrivateName } from "../values/isPrivateName.ts"
import { isPublicAddress } from "../values/isPublicAddress.ts"

/**
 * What is wrong with one; undefined: nothing. What its name resolves to is for whoever fetches it to check.
 * With `allowPrivateNetworks` it may lead anywhere.
 */
export const mediaUrlProblem = (
  text: string,
  { allowPrivateNetworks }: { readonly allowPrivateNetworks: boolean }
): string | undefined => {
  // Megabytes of it are not read for what says nothing of where they are.
  if (/^data:/i.test(text)) return undefined
  // Reading an address of megabytes holds everybody else up.
  if (!hasAtMostCharacters(text, mostCharacters)) {
    return `must have at most ${mostCharacters} characters`
  }
  if (!URL.canParse(text)) return needed
  const { hostname, password, protocol, username } = new URL(text)
  if (protocol !== "https:" && protocol !== "http:") return needed
  if (username !== "" || password !== "") return "must not carry a user or a password"
  if (allowPrivateNetworks) return undefined
  const address = addressIn(hostname)
  if (address === undefined) {
    return isPrivateName(hostname) ? "must be at the name of a public host" : undefined
  }
  return isPublicAddress(address)
    ? undefined
    : "must not lead to a private, loopback or link-local address"
}

const needed = "must be an https, http or data address"

/** Servers take about 8,000 (RFC 9110, 4.1); signed addresses are the longest of those in use. */
const mostCharacters = 8192
