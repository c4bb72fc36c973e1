/** Explains why a path that looks like one of the API is not served: the host has mounted the instance elsewhere. */
import { UnknownPath } from "../errors/HttpErrors.ts"
import { isServedPath } from "./routeTable.ts"

/** `url` is the URL as the host passed it on. `mount` is the configured mount; empty at the root. */
export const toUnknownPath = (url: string, mount: string): UnknownPath => {
  const advice = explainMount(url, mount)
  return advice === undefined ? new UnknownPath({}) : new UnknownPath({ advice })
}

const explainMount = (url: string, mount: string): string | undefined => {
  if (isServedPath("GET", url)) {
    return mount === ""
      ? undefined
      : `the path does not begin with the mount ${mount}; if a router takes that off, mount Signalbox at the root, or pass on the original request`
  }
  const [, prefix] = behindPrefix.exec(url) ?? []
  return prefix === undefined || prefix === mount
    ? undefined
    : `the path begins with ${prefix}, which is not the mount of Signalbox; say so with app.use("${prefix}", ...), { prefix: "${prefix}" } or { mount: "${prefix}" }, not with a route`
}

const behindPrefix = /^(\/[^?#]{1,200}?)\/api\/(?:v1|alpha)(?:[/?]|$)/
