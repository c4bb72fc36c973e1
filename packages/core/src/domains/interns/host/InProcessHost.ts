/** The built-in host of interns: they run in this process and answer through the router. */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { loadOnce } from "../../../values/layerOnDemand.ts"
import type { Intern } from "../Intern.ts"
import { toHostnameSuffix } from "../InternId.ts"
import type { InternHost, InternHostView } from "./InternHost.ts"

/** Options of the built-in host. */
export interface InProcessHostOptions {
  /** Interns are reached at `<name>-<20 characters>.<domain>`; default: they have no hostname. */
  readonly domain?: string
}

/** Runs interns in this process. */
export const makeInProcessHost = ({ domain }: InProcessHostOptions = {}): InternHost => {
  const suffix = domain === undefined ? undefined : toDomainSuffix(domain)
  return {
    slug: "in-process",
    needsModel: true,
    steps: [{ label: "Starting", run: () => Effect.void }],
    toHostname: ({ id, name }) =>
      suffix === undefined ? null : `${name}-${toHostnameSuffix(id)}${suffix}`,
    ...(suffix === undefined ? undefined : { domain: suffix.slice(1) }),
    chat: (intern, turn) =>
      Effect.flatMap(loadChat(), ({ chatInProcess }) => chatInProcess(intern, turn)),
    suspend: () => Effect.void,
    destroy: () => Effect.void
  }
}

/** Loaded with the first chat. */
const loadChat = loadOnce(() => import("../chat/chatInProcess.ts"))

/** Throws a `RangeError` when `domain` cannot be the end of a hostname. */
const toDomainSuffix = (domain: string): string => {
  const lower = domain.toLowerCase().replace(/\.$/, "")
  // A hostname has at most 253 characters, and the label before the domain up to 38.
  if (lower.length > 200 || !lower.split(".").every((label) => labelPattern.test(label))) {
    throw new RangeError(
      `interns.domain must be a domain such as interns.example.com, got ${domain}`
    )
  }
  return `.${lower}`
}

const labelPattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** The intern as its host sees it: with the name, model and instructions of its run, if it has one. */
export const toHostView = (intern: Intern): InternHostView => {
  const { run } = intern
  return {
    ...Struct.pick(intern, ["account", "creator", "hostname", "id", "workspace"]),
    ...Struct.pick(run.kind === "none" ? intern : run, ["instructions", "model", "name"]),
    run: run.number,
    notes: run.notes
  }
}
