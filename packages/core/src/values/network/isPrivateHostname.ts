/** Whether the name of a host is one that is never public. */

/** `hostname` as a URL has it, in lower case; an address is no name. */
export const isPrivateHostname = (hostname: string): boolean => {
  const name = hostname.replace(/\.$/, "")
  const labels = name.split(".")
  return (
    labels.length < 2 ||
    labels.includes("") ||
    privateSuffixes.some((suffix) => `.${name}`.endsWith(suffix))
  )
}

/** Sources: RFC 6761, RFC 6762, RFC 8375, and where clouds keep their metadata. */
const privateSuffixes = [
  ".localhost",
  ".localdomain",
  ".local",
  ".internal",
  ".home.arpa",
  ".test",
  ".invalid"
]
