/** The host of interns that is built in: they run in this process, need nothing to be started, and answer through the router. */
import * as Effect from "effect/Effect"
import { inProcessChat } from "./inProcessChat.ts"
import type { InternHost } from "./InternHost.ts"
import { tailOf } from "./InternId.ts"

/** Options of the host of interns that is built in. */
export interface InProcessOptions {
  /** Interns are reached at `<name>-<20 characters>.<domain>`; default: they have no hostname. */
  readonly domain?: string
}

/** Runs interns in this process. */
export const inProcessHost = ({ domain }: InProcessOptions = {}): InternHost => {
  const suffix = domain === undefined ? undefined : suffixOf(domain)
  return {
    slug: "in-process",
    needsModel: true,
    steps: [{ label: "Starting", run: () => Effect.void }],
    hostnameOf: ({ id, name }) => (suffix === undefined ? null : `${name}-${tailOf(id)}${suffix}`),
    ...(suffix === undefined ? undefined : { domain: suffix.slice(1) }),
    chat: inProcessChat,
    suspend: () => Effect.void,
    destroy: () => Effect.void
  }
}

/** Throws a `RangeError` for what no hostname can end with. */
const suffixOf = (domain: string): string => {
  const lower = domain.toLowerCase().replace(/\.$/, "")
  // The longest label before it is 38 characters.
  if (lower.length > 200 || !lower.split(".").every((label) => labelForm.test(label))) {
    throw new RangeError(
      `interns.domain must be a domain such as interns.example.com, got ${domain}`
    )
  }
  return `.${lower}`
}

const labelForm = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
