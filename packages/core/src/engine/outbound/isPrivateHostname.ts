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

/**
 * See RFC 6761, RFC 6762 with its appendix G, and RFC 8375; `internal` has the metadata hosts of clouds, `svc` the services
 * of a cluster (https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/).
 */
const privateSuffixes = [
  ".localhost",
  ".localdomain",
  ".local",
  ".internal",
  ".intranet",
  ".private",
  ".corp",
  ".home",
  ".lan",
  ".svc",
  ".home.arpa",
  ".test",
  ".invalid"
]
