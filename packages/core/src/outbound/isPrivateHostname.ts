/** Whether a host name is never public. */

/** `hostname` is from a URL, in lower case, and not an IP address. */
export const isPrivateHostname = (hostname: string): boolean => {
  const name = hostname.replace(/\.$/, "")
  const labels = name.split(".")
  return (
    labels.length < 2 ||
    labels.includes("") ||
    privateSuffixes.some((suffix) => `.${name}`.endsWith(suffix))
  )
}

/** See RFC 6761, RFC 6762 and RFC 8375; the rest are the metadata hosts of clouds. */
const privateSuffixes = [
  ".localhost",
  ".localdomain",
  ".local",
  ".internal",
  ".home.arpa",
  ".test",
  ".invalid"
]
