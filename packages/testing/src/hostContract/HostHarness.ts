/** What a host contract needs of a host: a way to start one, with a box in it. */
import type { Signalbox } from "@signalbox/core"

/** The host's own body parser: it leaves a value, a string or bytes. */
export type ParserKind = "json" | "text" | "raw"

export interface Parser {
  readonly kind: ParserKind
  /** Whether requests meet the parser before they meet the box. */
  readonly position: "before" | "after"
}

/** How the host is to be put together. */
export interface HostSetup {
  readonly instance: Signalbox
  /** One path per router, the outermost first, each mounted in the one before; none: the root. */
  readonly mounts: ReadonlyArray<`/${string}`>
  /** Takes any content type and at least 32 MiB; absent: the host as it comes. */
  readonly parser?: Parser | undefined
}

/** A host that listens. */
export interface RunningHost {
  /** Without the mount: `http://127.0.0.1:41234`. */
  readonly origin: string
  /** Stops listening and drops what is still connected; leaves the box alone. */
  readonly close: () => Promise<void>
}

/**
 * Starts a host on a free port of 127.0.0.1. It
 * - sets the header `x-host: here` on every response before the box sees the request;
 * - mounts the box at the mounts, joined;
 * - behind the box, at the same place, has a route of its own: `POST <mounts>/own` answers 200 with
 *   the text of the body it was sent (of a parsed one, as `JSON.stringify` has it);
 * - answers everything else with 404.
 */
export type MakeHarness = (placement: HostSetup) => Promise<RunningHost>

export interface HostContractOptions {
  /** The parsers the host has; each is tried before and after the box. Default: none. */
  readonly parsers?: ReadonlyArray<ParserKind>
  /** The version that is installed and the major that is meant: an alias may resolve to another. */
  readonly installed?: { readonly version: string; readonly major: number }
}
